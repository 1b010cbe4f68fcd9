import type { JsonObject } from '@/lib/json/json';
import type { Phase, Plan, Task } from '@/lib/kudo/types';
import { type Random, randomInteger } from '@/lib/random/random';

/** A random operator and what people do to one Instance of it. Made of a seed: the same every time. */
export interface Scenario {
  readonly operatorVersion: JsonObject;
  readonly operator: JsonObject;
  readonly parameters: { readonly [name: string]: string };
  /** In order, each after the Instance has come to rest. */
  readonly actions: readonly Action[];
}

export type Action =
  | { readonly do: 'set'; readonly name: string; readonly value: string }
  | { readonly do: 'trigger'; readonly plan: string }
  | { readonly do: 'restart' }
  | { readonly do: 'delete' };

const OPERATOR = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Operator',
  metadata: { name: 'sim', namespace: 'default' },
  spec: {},
};

/** Templates by name; `{{ .Params.A }}` and the like tie objects to parameters. */
const TEMPLATES: { readonly [name: string]: string } = {
  'config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-config\ndata:\n  a: "{{ .Params.A }}"\n',
  'random.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-{{ .PlanName }}-random\ndata:\n  token: "{{ randAlphaNum 12 }}"\n  b: "{{ .Params.B }}"\n',
  'several.yaml': ['one', 'two', 'three']
    .map(
      (name) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  b: "{{ .Params.B }}"\n`,
    )
    .join('---\n'),
  'web.yaml': [
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Name }}-web\nspec:\n  replicas: {{ .Params.SIZE }}',
    '  selector:\n    matchLabels: {app: {{ .Name }}-web}\n  template:\n    metadata:\n      labels: {app: {{ .Name }}-web}',
    '    spec:\n      containers:\n      - name: web\n        image: nginx\n        env: [{name: A, value: "{{ .Params.A }}"}]\n',
  ].join('\n'),
  'nodes.yaml': [
    'apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: {{ .Name }}-nodes\nspec:\n  serviceName: nodes\n  replicas: {{ .Params.SIZE }}',
    '  selector:\n    matchLabels: {app: {{ .Name }}-nodes}\n  template:\n    metadata:\n      labels: {app: {{ .Name }}-nodes}',
    '    spec:\n      containers:\n      - name: node\n        image: nginx\n',
  ].join('\n'),
  'job.yaml': [
    'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Name }}-{{ .PlanName }}-job\nspec:\n  template:\n    spec:',
    '      restartPolicy: Never\n      containers:\n      - name: job\n        image: busybox\n        command: ["true"]\n',
  ].join('\n'),
};

const TASKS: readonly Task[] = [
  { name: 'config', kind: 'Apply', spec: { resources: ['config.yaml'] } },
  { name: 'random', kind: 'Apply', spec: { resources: ['random.yaml'] } },
  { name: 'several', kind: 'Apply', spec: { resources: ['several.yaml'] } },
  { name: 'web', kind: 'Apply', spec: { resources: ['web.yaml'] } },
  { name: 'nodes', kind: 'Apply', spec: { resources: ['nodes.yaml'] } },
  { name: 'clear-job', kind: 'Delete', spec: { resources: ['job.yaml'] } },
  { name: 'job', kind: 'Apply', spec: { resources: ['job.yaml'] } },
  { name: 'switch', kind: 'Toggle', spec: { resources: ['several.yaml'], parameter: 'ON' } },
  { name: 'nothing', kind: 'Dummy', spec: { done: true } },
];

const PARAMETERS = [
  { name: 'A', default: 'a' },
  { name: 'B', default: 'b', trigger: 'backup' },
  { name: 'SIZE', default: '2', trigger: 'deploy' },
  { name: 'ON', default: 'true', trigger: 'update' },
];

/** Makes the scenario of a seed's Random. */
export function makeScenario(random: Random): Scenario {
  const pick = <T>(list: readonly T[]): T => list[randomInteger(random, list.length)] as T;
  const plans: { [name: string]: Plan } = {};
  for (const name of ['deploy', 'update', 'backup']) plans[name] = makePlan(random, name);
  if (randomInteger(random, 2) === 0) plans.cleanup = makePlan(random, 'cleanup');
  const actions: Action[] = [];
  for (let count = 1 + randomInteger(random, 4); count > 0; count--) {
    const kind = randomInteger(random, 10);
    if (kind < 2) actions.push({ do: 'restart' });
    else if (kind < 5) actions.push({ do: 'trigger', plan: pick(['deploy', 'backup']) });
    else actions.push(makeEdit(random));
  }
  if (randomInteger(random, 3) === 0) actions.push({ do: 'delete' });
  const metadata = { name: 'sim-1.0.0', namespace: 'default' };
  const spec = {
    operator: { name: 'sim' },
    version: '1.0.0',
    templates: { ...TEMPLATES },
    tasks: [...TASKS],
    parameters: PARAMETERS,
    plans,
  };
  return {
    operator: structuredClone(OPERATOR) as JsonObject,
    operatorVersion: structuredClone({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'OperatorVersion',
      metadata,
      spec,
    }) as unknown as JsonObject,
    parameters: randomInteger(random, 2) === 0 ? {} : { A: 'first' },
    actions,
  };
}

function makeEdit(random: Random): Action {
  const name = ['A', 'B', 'SIZE', 'ON'][randomInteger(random, 4)] ?? 'A';
  const value = { SIZE: String(1 + randomInteger(random, 3)), ON: randomInteger(random, 2) === 0 ? 'true' : 'false' }[
    name
  ];
  return { do: 'set', name, value: value ?? `v${randomInteger(random, 1_000)}` };
}

function makePlan(random: Random, plan: string): Plan {
  const strategy = () => (randomInteger(random, 3) === 0 ? 'parallel' : 'serial');
  const phases: Phase[] = [];
  for (let phase = 0; phase <= randomInteger(random, 3); phase++) {
    const steps = [];
    for (let step = 0; step <= randomInteger(random, 3); step++)
      steps.push({ name: `s${step}`, tasks: makeTasks(random, plan) });
    phases.push({ name: `p${phase}`, strategy: strategy(), steps });
  }
  return { strategy: strategy(), phases };
}

function makeTasks(random: Random, plan: string): string[] {
  if (plan === 'cleanup') return [['clear-job', 'nothing'][randomInteger(random, 2)] ?? 'nothing'];
  const names = ['config', 'random', 'several', 'web', 'nodes', 'job', 'switch', 'nothing'];
  const tasks = new Set<string>();
  for (let count = 0; count <= randomInteger(random, 2); count++)
    tasks.add(names[randomInteger(random, names.length)] ?? 'nothing');
  return [...tasks];
}
