import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { PLAN_METADATA_ANNOTATION, SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import type { Plan } from '@/lib/kudo/types';
import { GATED_PLAN } from './late-actions';
import type { Script } from './scenario';
import { TASKS, templatesOf } from './templates';

/** The name of every simulated Instance; its namespace tells them apart. */
export const INSTANCE = 'sim';
export const FIRST_VERSION = 'sim-1.0.0';
export const NEXT_VERSION = 'sim-1.1.0';

const MARKED = JSON.stringify({ [GATED_PLAN]: { approval: true } });

const PARAMETERS = [
  { name: 'A', default: 'a' },
  { name: 'B', default: 'b', trigger: 'backup' },
  { name: 'SIZE', default: '1', trigger: 'deploy' },
  { name: 'ON', default: 'true', trigger: 'update' },
  { name: 'IMAGE', default: 'nginx', trigger: 'deploy' },
  { name: 'FAIL', default: 'none', trigger: 'deploy' },
  { name: 'BROKEN', default: 'false', trigger: 'deploy' },
] as const;

/** The objects that exist in a namespace before the Instance: both versions of the operator, and the child's operator. */
export function operatorsOf(script: Script): { operators: KubeObject[]; versions: KubeObject[] } {
  const { childPlans, isGated = false } = script;
  const plans = isGated ? { ...script.plans, [GATED_PLAN]: GATED } : script.plans;
  return {
    operators: [operator('sim'), ...(script.shape === 'nested' ? [operator('kid')] : [])],
    versions: [
      operatorVersion({ operator: 'sim', version: '1.0.0', edition: 'first', plans, isGated }),
      operatorVersion({ operator: 'sim', version: '1.1.0', edition: 'next', plans, isGated, without: 'B' }),
      ...(script.shape === 'nested'
        ? [operatorVersion({ operator: 'kid', version: '1.0.0', edition: 'kid', plans: childPlans })]
        : []),
    ],
  };
}

export function instanceOf({ namespace, parameters, selfHeals }: Script): KubeObject {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: INSTANCE,
      namespace,
      labels: { 'kudo.dev/operator': 'sim' },
      ...(selfHeals ? { annotations: { [SELF_HEAL_ANNOTATION]: 'on' } } : {}),
    },
    spec: { operatorVersion: { name: FIRST_VERSION }, parameters: { ...parameters } },
  };
}

function operator(name: string): KubeObject {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Operator', metadata: { name }, spec: {} };
}

interface VersionFacts {
  readonly operator: string;
  readonly version: string;
  readonly edition: string;
  readonly plans: { readonly [name: string]: Plan };
  /** A parameter that this version no longer has; its templates contain a fixed text instead. */
  readonly without?: string;
  readonly isGated?: boolean;
}

const GATED: Plan = {
  strategy: 'serial',
  phases: [
    {
      name: 'p0',
      strategy: 'serial',
      steps: [
        { name: 's0', tasks: ['own'] },
        { name: 's1', tasks: ['config'] },
      ],
    },
  ],
};

function operatorVersion({
  operator: name,
  version,
  edition,
  plans,
  without,
  isGated = false,
}: VersionFacts): KubeObject {
  const parameters = PARAMETERS.filter((parameter) => parameter.name !== without);
  const templates = Object.entries(templatesOf(edition, version)).map(([file, text]) => [
    file,
    without === undefined ? text : text.replaceAll(`{{ .Params.${without} }}`, 'removed'),
  ]);
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: {
      name: `${name}-${version}`,
      ...(isGated ? { annotations: { [PLAN_METADATA_ANNOTATION]: MARKED } } : {}),
    },
    spec: {
      operator: { name },
      version,
      templates: Object.fromEntries(templates),
      // The controller refuses a version whose tasks create an Instance of the same operator.
      tasks: structuredClone(TASKS.filter((task) => task.spec?.package !== name)) as unknown as JsonValue,
      parameters: structuredClone(parameters) as unknown as JsonValue,
      plans: structuredClone(plans) as unknown as JsonValue,
    },
  };
}
