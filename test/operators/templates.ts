import type { OperatorVersionSpec, Plan, Task, TaskSpec } from '@/lib/kudo/types';

/** A serial plan of one phase `main`: each step with its tasks. */
export const plan = (...steps: [string, ...string[]][]): Plan => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: steps.map(([name, ...tasks]) => ({ name, tasks })) }],
});

export const task = (name: string, kind: string, spec: TaskSpec = {}): Task => ({ name, kind, spec });
export const apply = (name: string, ...resources: string[]): Task => task(name, 'Apply', { resources });
export const remove = (name: string, ...resources: string[]): Task => task(name, 'Delete', { resources });

/** An operator whose deploy plan has one step `run` with every task. */
export const oneStep = (tasks: Task[], more: OperatorVersionSpec = {}): OperatorVersionSpec => ({
  tasks,
  plans: { deploy: plan(['run', ...tasks.map(({ name }) => name)]) },
  ...more,
});

export const configMap = (name: string, data = '{value: one}', metadata = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${metadata}data: ${data}\n`;

interface Pods {
  readonly image?: string;
  readonly replicas?: string | number;
  /** Lines of the pod spec, indented as its members. */
  readonly podSpec?: string;
  readonly labels?: string;
  readonly spec?: string;
}

const podTemplate = (name: string, { image = 'nginx', podSpec = '', labels = '' }: Pods) =>
  `  template:
    metadata:
      labels: {app: ${name}${labels}}
    spec:
      containers:
      - {name: main, image: ${image}}
${podSpec}`;

export const deployment = (name: string, pods: Pods = {}): string =>
  `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${pods.replicas ?? 1}
  selector: {matchLabels: {app: ${name}}}
${pods.spec ?? ''}${podTemplate(name, pods)}`;

export const statefulSet = (name: string, pods: Pods = {}): string =>
  `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: ${name}
spec:
  serviceName: ${name}
  replicas: ${pods.replicas ?? 1}
  selector: {matchLabels: {app: ${name}}}
${pods.spec ?? ''}${podTemplate(name, pods)}`;

export const job = (name: string, command = 'true', spec = ''): string =>
  `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
spec:
${spec}  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: busybox, command: [sh, -c, "${command}"]}
`;

export const pod = (name: string, image = 'nginx'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  containers:\n  - {name: main, image: ${image}}\n`;

/** A CRD `ponds.lab.example.org` with a free spec. */
export const pondCrd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ponds.lab.example.org
spec:
  group: lab.example.org
  scope: Namespaced
  names: {kind: Pond, listKind: PondList, plural: ponds, singular: pond}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;

export const pond = (name: string, spec: string): string =>
  `apiVersion: lab.example.org/v1\nkind: Pond\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;
