import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { PlanMetadata } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion, OperatorVersionSpec } from '@/lib/kudo/types';
import { apply, configMap, plan, task } from './templates';

/** What the plan `wipe` says beside its phases. */
export const WIPE: PlanMetadata = {
  displayName: 'Wipe',
  confirm: 'All data are deleted.',
  destructive: true,
  parameters: ['FROM'],
};

/**
 * An operator whose plan `wipe` is destructive. It leaves the ConfigMap `<instance>-wiped` with the value of FROM, so that a test sees
 * whether it ran. FROM starts it, A starts `deploy`.
 */
export const wiping = (version = '1'): OperatorVersionSpec => ({
  version,
  templates: {
    'wiped.yaml': configMap('{{ .Name }}-wiped', '{from: "{{ .Params.FROM }}", by: "{{ .OperatorVersion }}"}'),
  },
  tasks: [task('done', 'Dummy', { done: true }), apply('wipe', 'wiped.yaml')],
  parameters: [
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'FROM', default: 'latest', trigger: 'wipe' },
  ],
  plans: { deploy: plan(['run', 'done']), wipe: plan(['first', 'done'], ['drop', 'wipe']) },
});

/** The annotation that says what plans of an OperatorVersion are. */
export const saying = (byPlan: { readonly [plan: string]: PlanMetadata }) => ({
  [PLAN_METADATA_ANNOTATION]: JSON.stringify(byPlan),
});

/** The same as an OperatorVersion. */
export function wipingVersion(name: string, metadata: PlanMetadata = WIPE): OperatorVersion {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name, namespace: 'ns', annotations: saying({ wipe: metadata }) },
    spec: { ...wiping(), operator: { name: 'op' } },
  };
}
