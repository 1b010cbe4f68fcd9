import type { JsonObject } from '@/lib/json/json';
import type { ExecutionStatus, OperatorVersionSpec } from '@/lib/kudo/types';
import { apply, configMap, plan } from '@/test/operators/templates';

export const PLANS = ['deploy', 'update', 'upgrade', 'backup', 'cleanup'];
export const OLD = '11111111-1111-4111-8111-111111111111';
export const NEW = '22222222-2222-4222-8222-222222222222';

/** Each plan has two serial steps; each step makes a ConfigMap of its own. */
export const operator = (plans: readonly string[] = PLANS): OperatorVersionSpec => ({
  parameters: [
    { name: 'SIZE', default: '1' },
    { name: 'FILE', default: 'a', trigger: 'backup' },
  ],
  templates: Object.fromEntries(
    plans.flatMap((name) =>
      ['one', 'two'].map((step) => [
        `${name}-${step}.yaml`,
        configMap(`{{ .Name }}-${name}-${step}`, '{size: "{{ .Params.SIZE }}"}'),
      ]),
    ),
  ),
  tasks: plans.flatMap((name) => ['one', 'two'].map((step) => apply(`${name}-${step}`, `${name}-${step}.yaml`))),
  plans: Object.fromEntries(plans.map((name) => [name, plan(['one', `${name}-one`], ['two', `${name}-two`])])),
});

export type TwoSteps = readonly [ExecutionStatus, ExecutionStatus];

/** A plan status as KUDO writes it. */
export const planStatus = (
  name: string,
  status: ExecutionStatus,
  steps: TwoSteps,
  more: JsonObject = {},
): JsonObject => ({
  name,
  status,
  phases: [
    { name: 'main', status, steps: steps.map((each, index) => ({ name: index === 0 ? 'one' : 'two', status: each })) },
  ],
  ...more,
});
const neverRun = (name: string) => planStatus(name, 'NEVER_RUN', ['NEVER_RUN', 'NEVER_RUN']);
export const complete = (name: string, uid: string) =>
  planStatus(name, 'COMPLETE', ['COMPLETE', 'COMPLETE'], { uid, lastUpdatedTimestamp: '2021-07-02T10:07:40Z' });
export const instanceStatusWith = (plans: JsonObject, more: JsonObject = {}): JsonObject => ({
  planStatus: { ...Object.fromEntries(PLANS.map((name) => [name, neverRun(name)])), ...plans },
  ...more,
});
