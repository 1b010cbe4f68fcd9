import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { KindIndex } from '@/server/kube/kinds';
import { silentLog } from '@/server/log/log';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { plan } from '@/test/operators/templates';
import { driftReport } from './drift-report';
import { restoreObjects } from './restore-objects';

const namespace = 'kinds';
const key = { namespace, name: 'all' };

const pods = (image: string) =>
  `selector: {matchLabels: {app: x}}
  template:
    metadata: {labels: {app: x}}
    spec:
      containers:
      - {name: main, image: "${image}"}`;

/** What a template gives, and a change by somebody else that a person would want back. */
interface Kind {
  readonly text: string;
  readonly change: JsonObject;
}

const head = (apiVersion: string, kind: string) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: all}\n`;
const replicas: JsonObject = { spec: { replicas: 3 } };

const KINDS: readonly (readonly [string, Kind])[] = [
  ['ConfigMap', { text: `${head('v1', 'ConfigMap')}data: {a: b}\n`, change: { data: { a: 'c' } } }],
  ['Secret', { text: `${head('v1', 'Secret')}stringData: {a: b}\n`, change: { data: { a: 'Yw==' } } }],
  [
    'Service',
    {
      text: `${head('v1', 'Service')}spec: {selector: {app: x}, ports: [{name: main, port: 80}]}\n`,
      change: { spec: { selector: { app: 'y' } } },
    },
  ],
  [
    'ServiceAccount',
    {
      text: `${head('v1', 'ServiceAccount')}automountServiceAccountToken: false\n`,
      change: { automountServiceAccountToken: true },
    },
  ],
  [
    'Deployment',
    { text: `${head('apps/v1', 'Deployment')}spec:\n  replicas: 1\n  ${pods('a:1')}\n`, change: replicas },
  ],
  [
    'StatefulSet',
    {
      text: `${head('apps/v1', 'StatefulSet')}spec:\n  serviceName: all\n  replicas: 1\n  ${pods('a:1')}\n`,
      change: replicas,
    },
  ],
  [
    'DaemonSet',
    {
      text: `${head('apps/v1', 'DaemonSet')}spec:\n  ${pods('a:1')}\n`,
      change: {
        spec: {
          template: {
            metadata: { labels: { more: null, app: 'x' } },
            spec: { containers: [{ name: 'main', image: 'b:2' }] },
          },
        },
      },
    },
  ],
  [
    'CronJob',
    {
      text: `${head('batch/v1', 'CronJob')}spec:\n  schedule: "0 0 1 1 *"\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "a:1"}]}}}}\n`,
      change: { spec: { schedule: '1 1 1 1 *' } },
    },
  ],
  [
    'Role',
    {
      text: `${head('rbac.authorization.k8s.io/v1', 'Role')}rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n`,
      change: { rules: [] },
    },
  ],
  [
    'RoleBinding',
    {
      text: `${head('rbac.authorization.k8s.io/v1', 'RoleBinding')}roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: all}\nsubjects: [{kind: ServiceAccount, name: all, namespace: kinds}]\n`,
      change: { subjects: [] },
    },
  ],
  [
    'PodDisruptionBudget',
    {
      text: `${head('policy/v1', 'PodDisruptionBudget')}spec: {maxUnavailable: 1, selector: {matchLabels: {app: x}}}\n`,
      change: { spec: { maxUnavailable: 2 } },
    },
  ],
  [
    'NetworkPolicy',
    {
      text: `${head('networking.k8s.io/v1', 'NetworkPolicy')}spec: {podSelector: {matchLabels: {app: x}}, policyTypes: [Ingress]}\n`,
      change: { spec: { podSelector: { matchLabels: { app: 'y' } } } },
    },
  ],
  [
    'Ingress',
    {
      text: `${head('networking.k8s.io/v1', 'Ingress')}spec: {defaultBackend: {service: {name: all, port: {number: 80}}}}\n`,
      change: { spec: { defaultBackend: { service: { name: 'other', port: { number: 80 } } } } },
    },
  ],
  [
    'Thing',
    {
      text: `${head('kinds.example.org/v1', 'Thing')}spec: {size: 1, parts: [{name: a, on: true}]}\n`,
      change: { spec: { size: 2, parts: [] } },
    },
  ],
  [
    'ClusterRole',
    {
      text: `${head('rbac.authorization.k8s.io/v1', 'ClusterRole')}rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n`,
      change: { rules: [] },
    },
  ],
  [
    'PriorityClass',
    {
      text: `${head('scheduling.k8s.io/v1', 'PriorityClass')}value: 10\ndescription: first\n`,
      change: { description: 'second' },
    },
  ],
];

const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.kinds.example.org' },
  spec: {
    group: 'kinds.example.org',
    names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('drift of every kind', () => {
  let engine: Engine;
  let kinds: KindIndex;
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 0 });
    kinds = new KindIndex(engine.api);
    await createNamespace(engine.api, namespace);
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await engine.api.create(crds, definition);
    await eventually('the kind is served', () => kinds.resolve('kinds.example.org/v1', 'Thing'));
    const files = KINDS.map(([name, { text }]) => [`${name}.yaml`, text] as const);
    const version = await createOperator(engine.api, namespace, 'kinds', {
      templates: Object.fromEntries(files),
      tasks: [{ name: 'all', kind: 'Apply', spec: { resources: files.map(([name]) => name) } }],
      plans: { deploy: plan(['one', 'all']) },
    });
    await createInstance(engine.api, namespace, key.name, version);
    await planEnds(engine.api, namespace, key.name, { plan: 'deploy' });
  });
  afterAll(() => engine?.stop());

  const drifted = async () => (await driftReport(engine.api, key)).drifted.map(({ kind, state }) => `${kind} ${state}`);
  const restore = () => restoreObjects({ api: engine.api, clock: systemClock, log: silentLog }, key, undefined);
  const targetOf = async ({ text }: Kind) => {
    const [, apiVersion = '', kind = ''] = /^apiVersion: (\S+)\nkind: (\S+)/.exec(text) ?? [];
    const target = await kinds.targetOf({ apiVersion, kind, metadata: { name: 'all', namespace } });
    if (target === undefined) throw new Error(`${kind} is not served`);
    return target;
  };

  const names = KINDS.map(([name]) => name).sort();
  const allRestored = async () => {
    const { done, failed } = await restore();
    expect(failed).toEqual([]);
    expect(done.map(({ kind }) => kind).sort()).toEqual(names);
    expect(await drifted()).toEqual([]);
  };

  it('does not exist after the plan', async () => {
    expect(await drifted()).toEqual([]);
  });

  it('is reported and restored when somebody changed it', async () => {
    for (const [, kind] of KINDS) await engine.api.patch(await targetOf(kind), 'merge', kind.change);
    expect((await drifted()).sort()).toEqual(names.map((name) => `${name} changed`));
    await allRestored();
  });

  it('is reported and restored when it was deleted', async () => {
    for (const [, kind] of KINDS) {
      const target = await targetOf(kind);
      await engine.api.delete(target, { propagation: 'Background' });
      await eventually('it is gone', async () => (await engine.api.get(target)) === undefined);
    }
    expect((await drifted()).sort()).toEqual(names.map((name) => `${name} missing`));
    await allRestored();
  });
});
