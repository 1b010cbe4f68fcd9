import type { OperatorVersionSpec, Plan, Step, Task } from '@/lib/kudo/types';

const configMap = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  value: "${value}"\n`;

const deployment = (name: string, value: string) =>
  [
    `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Name }}-${name}\nspec:\n  replicas: 2`,
    `  selector:\n    matchLabels: {app: {{ .Name }}-${name}}\n  template:\n    metadata:\n      labels: {app: {{ .Name }}-${name}}`,
    `    spec:\n      containers:\n      - name: main\n        image: nginx\n        env: [{name: VALUE, value: "${value}"}]\n`,
  ].join('\n');

const job = (name: string, command: string) =>
  [
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Name }}-${name}\nspec:\n  backoffLimit: 0\n  template:\n    spec:`,
    `      restartPolicy: Never\n      containers:\n      - name: main\n        image: busybox\n        command: ["${command}"]\n`,
  ].join('\n');

const GROWING_SET = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}-db
  annotations: {bravo.kudo.dev/grow-volumes: "true"}
spec:
  replicas: 2
  serviceName: db
  selector: {matchLabels: {app: {{ .Name }}-db}}
  template:
    metadata: {labels: {app: {{ .Name }}-db}}
    spec: {containers: [{name: main, image: nginx}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: {{ .Params.SIZE }}}}}
`;

const PIPE_POD = `apiVersion: v1
kind: Pod
spec:
  volumes: [{name: shared, emptyDir: {}}]
  initContainers:
  - name: maker
    image: busybox
    command: ["sh", "-c", "echo {{ .Params.VALUE }} > /out/text.txt; echo hidden > /out/hidden.txt"]
    volumeMounts: [{name: shared, mountPath: /out}]
`;

type Steps = { readonly [step: string]: readonly string[] };

const phase = (name: string, strategy: 'serial' | 'parallel', steps: Steps) => ({
  name,
  strategy,
  steps: Object.entries(steps).map(([step, tasks]): Step => ({ name: step, tasks: [...tasks] })),
});

const serial = (steps: Steps): Plan => ({ strategy: 'serial', phases: [phase('main', 'serial', steps)] });

const apply = (name: string, ...resources: string[]): Task => ({ name, kind: 'Apply', spec: { resources } });

const VALUE = { name: 'VALUE', default: 'one' };

/** Operators by name, each with its versions in order: every feature of plans, with as few objects as possible. */
export const smallOperators: { readonly [name: string]: readonly OperatorVersionSpec[] } = {
  several: [
    {
      version: '1.0.0',
      parameters: [VALUE],
      templates: {
        'a.yaml': configMap('a', '{{ .Params.VALUE }}'),
        'b.yaml': configMap('b', 'fixed'),
        'c.yaml': configMap('c', '{{ .Params.VALUE }}'),
      },
      tasks: [apply('all', 'a.yaml', 'b.yaml', 'c.yaml')],
      plans: { deploy: serial({ all: ['all'] }) },
    },
  ],
  parallel: [
    {
      version: '1.0.0',
      parameters: [VALUE],
      templates: {
        'a.yaml': configMap('a', '{{ .Params.VALUE }}'),
        'b.yaml': configMap('b', 'b'),
        'web.yaml': deployment('web', '{{ .Params.VALUE }}'),
        'job.yaml': job('job', 'true'),
      },
      tasks: [apply('a', 'a.yaml'), apply('b', 'b.yaml'), apply('web', 'web.yaml'), apply('job', 'job.yaml')],
      plans: {
        deploy: {
          strategy: 'parallel',
          phases: [
            phase('left', 'parallel', { a: ['a'], web: ['web'] }),
            phase('right', 'serial', { b: ['b'], job: ['job'] }),
          ],
        },
      },
    },
  ],
  toggle: [
    {
      version: '1.0.0',
      parameters: [VALUE, { name: 'ON', default: 'true' }],
      templates: { 'a.yaml': configMap('a', '{{ .Params.VALUE }}'), 'extra.yaml': configMap('extra', 'extra') },
      tasks: [
        apply('a', 'a.yaml'),
        { name: 'extra', kind: 'Toggle', spec: { resources: ['extra.yaml'], parameter: 'ON' } },
      ],
      plans: { deploy: serial({ a: ['a'], extra: ['extra'] }) },
    },
  ],
  again: [
    {
      version: '1.0.0',
      parameters: [{ ...VALUE, trigger: 'again' }],
      templates: { 'job.yaml': job('job', 'true'), 'a.yaml': configMap('a', '{{ .Params.VALUE }}') },
      tasks: [
        apply('a', 'a.yaml'),
        apply('job', 'job.yaml'),
        { name: 'remove', kind: 'Delete', spec: { resources: ['job.yaml'] } },
      ],
      plans: {
        deploy: serial({ a: ['a'], job: ['job'] }),
        again: serial({ remove: ['remove'], job: ['job'], a: ['a'] }),
      },
    },
  ],
  pipe: [
    {
      version: '1.0.0',
      parameters: [VALUE],
      templates: { 'pod.yaml': PIPE_POD, 'reads.yaml': configMap('reads', '{{ .Pipes.Text }} {{ .Pipes.Hidden }}') },
      tasks: [
        {
          name: 'make',
          kind: 'Pipe',
          spec: {
            pod: 'pod.yaml',
            pipe: [
              { file: '/out/text.txt', kind: 'ConfigMap', key: 'Text' },
              { file: '/out/hidden.txt', kind: 'Secret', key: 'Hidden' },
            ],
          },
        },
        apply('reads', 'reads.yaml'),
      ],
      plans: { deploy: serial({ make: ['make'], reads: ['reads'] }) },
    },
  ],
  cleanup: [
    {
      version: '1.0.0',
      parameters: [VALUE],
      templates: { 'a.yaml': configMap('a', '{{ .Params.VALUE }}'), 'bye.yaml': job('bye', 'true') },
      tasks: [
        apply('a', 'a.yaml'),
        apply('bye', 'bye.yaml'),
        { name: 'remove', kind: 'Delete', spec: { resources: ['a.yaml'] } },
      ],
      plans: { deploy: serial({ a: ['a'] }), cleanup: serial({ bye: ['bye'], remove: ['remove'] }) },
    },
  ],
  fails: [
    {
      version: '1.0.0',
      parameters: [VALUE],
      templates: {
        'a.yaml': configMap('a', '{{ .Params.VALUE }}'),
        'bad.yaml': job('bad', 'false'),
        'never.yaml': configMap('never', 'never'),
      },
      tasks: [apply('a', 'a.yaml'), apply('bad', 'bad.yaml'), apply('never', 'never.yaml')],
      plans: { deploy: serial({ a: ['a'], bad: ['bad'], never: ['never'] }) },
    },
  ],
  wrong: [
    {
      version: '1.0.0',
      parameters: [VALUE],
      templates: {
        'a.yaml': configMap('a', '{{ .Params.VALUE }}'),
        'wrong.yaml': configMap('wrong', '{{ .Params.VALUE | nosuch }}'),
      },
      tasks: [apply('a', 'a.yaml'), apply('wrong', 'wrong.yaml')],
      plans: { deploy: serial({ a: ['a'], wrong: ['wrong'] }) },
    },
  ],
  upgrade: [
    {
      version: '1.0.0',
      parameters: [VALUE, { name: 'OLD', default: 'old' }],
      templates: {
        'a.yaml': configMap('a', '{{ .Params.VALUE }} {{ .Params.OLD }}'),
        'web.yaml': deployment('web', '1'),
      },
      tasks: [apply('a', 'a.yaml'), apply('web', 'web.yaml')],
      plans: { deploy: serial({ a: ['a'], web: ['web'] }) },
    },
    {
      version: '2.0.0',
      parameters: [VALUE],
      templates: {
        'a.yaml': configMap('a', '{{ .Params.VALUE }}'),
        'web.yaml': deployment('web', '2'),
        'new.yaml': configMap('new', 'new'),
      },
      tasks: [apply('a', 'a.yaml'), apply('web', 'web.yaml'), apply('new', 'new.yaml')],
      plans: { deploy: serial({ a: ['a'], web: ['web'] }), upgrade: serial({ new: ['new'], a: ['a'], web: ['web'] }) },
    },
  ],
  growing: [
    {
      version: '1.0.0',
      parameters: [{ name: 'SIZE', default: '1Gi', trigger: 'grow' }],
      templates: { 'db.yaml': GROWING_SET, 'a.yaml': configMap('a', '{{ .Params.SIZE }}') },
      tasks: [apply('db', 'db.yaml'), apply('a', 'a.yaml')],
      plans: { deploy: serial({ db: ['db'] }), grow: serial({ db: ['db'], a: ['a'] }) },
    },
  ],
  steps: [
    {
      version: '1.0.0',
      parameters: [VALUE],
      templates: {
        'a.yaml': configMap('a', '{{ .Params.VALUE }}'),
        'b.yaml': configMap('{{ .StepName }}', '{{ .StepName }}'),
      },
      tasks: [apply('a', 'a.yaml'), apply('b', 'b.yaml')],
      plans: { deploy: serial(Object.fromEntries(Array.from({ length: 12 }, (_, step) => [`s${step}`, ['b']]))) },
    },
  ],
};

const child = (name: string, parent: string): OperatorVersionSpec => ({
  version: '1.0.0',
  parameters: [VALUE],
  templates: {
    'child.yaml': 'VALUE: "{{ .Params.VALUE }}"\n',
    'a.yaml': configMap(`of-${parent}`, '{{ .Params.VALUE }}'),
  },
  tasks: [
    {
      name: 'child',
      kind: 'KudoOperator',
      spec: { package: name, operatorVersion: '1.0.0', parameterFile: 'child.yaml' },
    },
    apply('a', 'a.yaml'),
  ],
  plans: { deploy: serial({ child: ['child'], a: ['a'] }) },
});

/** A second person has to approve its plan restore; an edit of both parameters starts two plans, one after the other. */
export const gatedOperator: OperatorVersionSpec = {
  version: '1.0.0',
  parameters: [VALUE, { name: 'KEEP', default: 'one', trigger: 'backup' }],
  templates: {
    'a.yaml': configMap('a', '{{ .Params.VALUE }}'),
    'b.yaml': configMap('b', '{{ .Params.KEEP }}'),
    'c.yaml': configMap('c', 'restored'),
  },
  tasks: [apply('a', 'a.yaml'), apply('b', 'b.yaml'), apply('c', 'c.yaml')],
  plans: { deploy: serial({ a: ['a'] }), backup: serial({ b: ['b'] }), restore: serial({ c: ['c'], a: ['a'] }) },
};

/** Three operators, each the child of the one before; the first is installed. */
export const nestedOperators: { readonly [name: string]: OperatorVersionSpec } = {
  nested: child('nested-child', 'nested'),
  'nested-child': child('nested-grandchild', 'nested-child'),
  'nested-grandchild': {
    version: '1.0.0',
    parameters: [VALUE],
    templates: { 'a.yaml': configMap('leaf', '{{ .Params.VALUE }}') },
    tasks: [apply('a', 'a.yaml')],
    plans: { deploy: serial({ a: ['a'] }) },
  },
};
