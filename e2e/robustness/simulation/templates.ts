import type { Task } from '@/lib/kudo/types';
import { FAIL_ANNOTATION } from '@/server/sandbox/workloads/kubelet/simulated-failures';

/**
 * What simulated operators render. Each template makes the objects that its name says, so that checks can tell from an
 * object's name which template made it. The objects depend on parameters (`{{ .Params.A }}` and the like) and on `edition`, the
 * edition of the OperatorVersion. The YAML is in block style: flow style and escapes are read ten times slower.
 */
export function templatesOf(edition: string, version = '1.0.0'): { [name: string]: string } {
  // A Job's pod template is immutable and carries the version: an operator whose next version keeps a Job renames it.
  const suffix = version === '1.0.0' ? '' : '-next';
  return {
    'config.yaml': configMap('{{ .Name }}-config', `a: "{{ .Params.A }}"\n  edition: "${edition}"`),
    'own.yaml': configMap('{{ .Name }}-{{ .PlanName }}-own', `a: "{{ .Params.A }}"\n  edition: "${edition}"`),
    'random.yaml': configMap(
      '{{ .Name }}-{{ .PlanName }}-random',
      'token: "{{ randAlphaNum 12 }}"\n  at: "{{ now | date "15:04:05" }}"\n  b: "{{ .Params.B }}"',
    ),
    'several.yaml': ['one', 'two', 'three']
      .map((name) => configMap(`{{ .Name }}-${name}`, 'b: "{{ .Params.B }}"'))
      .join('---\n'),
    'switched.yaml': configMap('{{ .Name }}-switched', 'state: "{{ .Params.ON }}"'),
    'maybe.yaml': `{{ if eq .Params.BROKEN "true" }}{{ fail "it is broken" }}{{ end }}${configMap('{{ .Name }}-maybe', 'a: "{{ .Params.A }}"')}`,
    'web.yaml': WEB,
    'nodes.yaml': NODES,
    'job.yaml': job(`{{ .Name }}-{{ .PlanName }}${suffix}-job`, '["true"]'),
    'bad-job.yaml': job(`{{ .Name }}-{{ .PlanName }}${suffix}-bad`, '["false"]'),
    'ca.yaml': certificate('ca', 'genCAWithKey "sim" 30 (genPrivateKey "ecdsa")'),
    'rsa.yaml': certificate('rsa', 'genCA "sim" 30'),
    'pipe-pod.yaml': PIPE_POD,
    'piped.yaml': configMap(
      '{{ .Name }}-{{ .PlanName }}-piped',
      'token: "{{ .Pipes.token }}"\n  env: "{{ .Pipes.env }}"',
    ),
    'child.yaml': 'A: "{{ .Params.A }}"\nB: "{{ .Params.B }}"\n',
  };
}

export const TASKS: readonly Task[] = [
  { name: 'config', kind: 'Apply', spec: { resources: ['config.yaml'] } },
  { name: 'own', kind: 'Apply', spec: { resources: ['own.yaml'] } },
  { name: 'random', kind: 'Apply', spec: { resources: ['random.yaml'] } },
  { name: 'several', kind: 'Apply', spec: { resources: ['several.yaml'] } },
  { name: 'web', kind: 'Apply', spec: { resources: ['web.yaml'] } },
  { name: 'nodes', kind: 'Apply', spec: { resources: ['nodes.yaml'] } },
  { name: 'clear-job', kind: 'Delete', spec: { resources: ['job.yaml'] } },
  { name: 'job', kind: 'Apply', spec: { resources: ['job.yaml'] } },
  { name: 'bad-job', kind: 'Apply', spec: { resources: ['bad-job.yaml'] } },
  { name: 'maybe', kind: 'Apply', spec: { resources: ['maybe.yaml'] } },
  { name: 'switch', kind: 'Toggle', spec: { resources: ['switched.yaml'], parameter: 'ON' } },
  { name: 'ca', kind: 'Apply', spec: { resources: ['ca.yaml'] } },
  { name: 'rsa', kind: 'Apply', spec: { resources: ['rsa.yaml'] } },
  {
    name: 'pipe',
    kind: 'Pipe',
    spec: {
      pod: 'pipe-pod.yaml',
      pipe: [
        { file: '/out/token', kind: 'Secret', key: 'token' },
        { envFile: '/out/env', kind: 'ConfigMap', key: 'env' },
      ],
    },
  },
  { name: 'piped', kind: 'Apply', spec: { resources: ['piped.yaml'] } },
  { name: 'nothing', kind: 'Dummy', spec: { done: true } },
  {
    name: 'child',
    kind: 'KudoOperator',
    spec: { package: 'kid', operatorVersion: '1.0.0', parameterFile: 'child.yaml' },
  },
];

function configMap(name: string, data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${data}\n`;
}

function certificate(name: string, made: string): string {
  return configMap(
    `{{ .Name }}-{{ .PlanName }}-${name}`,
    `a: "{{ .Params.A }}"\n  pem: |-{{ (${made}).Cert | trim | nindent 4 }}`,
  );
}

function job(name: string, command: string): string {
  return [
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\nspec:\n  backoffLimit: 0\n  template:\n    spec:`,
    `      restartPolicy: Never\n      containers:\n      - name: job\n        image: busybox\n        command: ${command}\n`,
  ].join('\n');
}

const PIPE_POD = `apiVersion: v1
kind: Pod
metadata: {}
spec:
  volumes:
  - name: out
    emptyDir: {}
  initContainers:
  - name: make
    image: busybox
    volumeMounts:
    - name: out
      mountPath: /out
    command: ["sh", "-c", "echo {{ .Params.A }} > /out/token; echo A={{ .Params.A }} > /out/env"]
`;

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Name }}-web
spec:
  replicas: {{ .Params.SIZE }}
  selector:
    matchLabels:
      app: {{ .Name }}-web
  template:
    metadata:
      labels:
        app: {{ .Name }}-web
      annotations:
        ${FAIL_ANNOTATION}: "{{ .Params.FAIL }}"
    spec:
      containers:
      - name: web
        image: {{ .Params.IMAGE }}
        env:
        - name: A
          value: "{{ .Params.A }}"
`;

const NODES = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}-nodes
spec:
  serviceName: nodes
  replicas: {{ .Params.SIZE }}
  selector:
    matchLabels:
      app: {{ .Name }}-nodes
  template:
    metadata:
      labels:
        app: {{ .Name }}-nodes
    spec:
      containers:
      - name: node
        image: nginx
`;
