import { describe, expect, it } from 'vitest';
import type { KindSummary } from '@/lib/kube/kinds';
import type { KubeObject } from '@/lib/kube/object';
import type { Instance } from '../types';
import { buildTree, type TreeInput } from './build-tree';
import type { ResourceNode } from './resource-node';
import { treeKinds } from './tree-kinds';
import { treeObject } from './tree-object';
import { filteredTree, treeRows, treeStep, typedAhead } from './tree-rows';

const kind = (group: string, name: string, namespaced = true): KindSummary => {
  const resource = `${name.toLowerCase()}s`;
  return { group, version: 'v1', resource, kind: name, namespaced, shortNames: [], verbs: ['list'], custom: false };
};
const SERVED = [
  ...[
    kind('', 'Pod'),
    kind('', 'Service'),
    kind('', 'Secret'),
    kind('', 'PersistentVolumeClaim'),
    kind('apps', 'StatefulSet'),
  ],
  ...[
    kind('apps', 'ControllerRevision'),
    kind('rbac.authorization.k8s.io', 'ClusterRole', false),
    kind('db.example.org', 'Cluster'),
  ],
];

/** `apps/v1 StatefulSet orders` with an owner by uid (`u-` and its name). */
function object(what: string, more: Partial<KubeObject> = {}, owner?: string): KubeObject {
  const [apiVersion = '', kindName = '', name = ''] = what.split(' ');
  const { metadata, ...rest } = more;
  const owners =
    owner === undefined ? [] : [{ apiVersion: 'v1', kind: 'X', name: owner, uid: `u-${owner}`, controller: true }];
  return {
    apiVersion,
    kind: kindName,
    metadata: { name, namespace: 'demo', generation: 1, uid: `u-${name}`, ownerReferences: owners, ...metadata },
    ...rest,
  };
}
const labelled = { metadata: { labels: { 'kudo.dev/instance': 'orders' } } };
const planned = (plan: string, run: string): Partial<KubeObject> => ({
  metadata: {
    labels: { 'kudo.dev/instance': 'orders' },
    annotations: {
      'kudo.dev/plan': plan,
      'kudo.dev/phase': 'nodes',
      'kudo.dev/step': 'all',
      'kudo.dev/last-plan-execution-uid': run,
    },
  },
});
const waiting = {
  status: { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
};
const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };

const instance: Instance = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'orders', namespace: 'demo', uid: 'u-instance' },
  status: {
    planStatus: { backup: { uid: 'run-2', status: 'IN_PROGRESS', lastUpdatedTimestamp: '2026-01-02T00:00:00Z' } },
  },
};
const inventory = {
  runs: [
    {
      plan: 'deploy',
      uid: 'run-1',
      startedAt: '2026-01-01T00:00:00Z',
      objects: [
        {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          name: 'orders',
          phase: 'nodes',
          step: 'all',
          task: 'node',
          digest: '',
        },
        { apiVersion: 'v1', kind: 'Service', name: 'web', phase: 'nodes', step: 'all', task: 'service', digest: '' },
        { apiVersion: 'v1', kind: 'Secret', name: 'keys', phase: 'main', step: 'one', task: 'keys', digest: '' },
      ],
    },
  ],
};

function treeOf(objects: readonly KubeObject[], more: Partial<TreeInput> & { refused?: string } = {}): ResourceNode {
  const { followed } = treeKinds({ namespace: 'demo', name: 'orders' }, inventory, {
    served: SERVED,
    custom: [kind('db.example.org', 'Cluster')],
  });
  const kinds = followed.map((each) => ({
    ...each,
    view: {
      status: each.kind.kind === more.refused ? ('forbidden' as const) : ('ready' as const),
      objects: objects.filter((one) => one.kind === each.kind.kind).map(treeObject),
    },
  }));
  const state = { key: 'healthy', word: 'Healthy', reason: '', detail: '' } as const;
  const tree = { instance, state, version: undefined, inventory, kinds, drifted: new Map(), ...more };
  return buildTree(tree);
}

/** Each line with its depth, as `  Pod orders-0 [why]`. */
function drawn(node: ResourceNode, depth = 0): string[] {
  const why = [node.message, node.cause].filter(Boolean).join(' · ');
  const name = `${node.kind} ${node.name}`.trim();
  const line = `${'  '.repeat(depth)}${name}${why === '' || depth === 0 ? '' : ` [${why}]`}`;
  return [line, ...node.children.flatMap((child) => drawn(child, depth + 1))];
}

const set = object('apps/v1 StatefulSet orders', {
  ...planned('deploy', 'run-1'),
  spec: { replicas: 2, volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
  status: { observedGeneration: 1, replicas: 2, readyReplicas: 1, updatedReplicas: 2 },
});
const pods = [
  object('v1 Pod orders-0', { ...planned('deploy', 'run-1'), ...running }, 'orders'),
  object('v1 Pod orders-1', { ...labelled, ...waiting }, 'orders'),
];
const service = object('v1 Service web', { ...planned('deploy', 'run-1'), spec: { clusterIP: 'None' } });
const secret = object('v1 Secret keys', labelled);

describe('the tree of an Instance', () => {
  it('has phases, tasks, objects and their children, and names the pod that is the cause', () => {
    const claim = object('v1 PersistentVolumeClaim data-orders-0', labelled);
    const foreign = object('v1 Pod other-0', running, 'other');
    expect(drawn(treeOf([set, ...pods, service, secret, claim, foreign]))).toEqual([
      'Instance orders',
      '  Phase deploy / main',
      '    Task keys',
      '      Secret keys',
      '  Phase deploy / nodes [Pod orders-1: ImagePullBackOff]',
      '    Task node [Pod orders-1: ImagePullBackOff]',
      '      StatefulSet orders [1 of 2 ready · Pod orders-1: ImagePullBackOff]',
      '        Pod orders-0',
      '        Pod orders-1 [ImagePullBackOff]',
      '        PersistentVolumeClaim data-orders-0',
      '    Task service',
      '      Service web',
    ]);
  });

  it('finds children of custom resources by their owners, in several levels, and ends circles', () => {
    const cluster = object(
      'db.example.org/v1 Cluster pg',
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      'instance',
    );
    const inner = object(
      'apps/v1 StatefulSet pg-set',
      { spec: { replicas: 0 }, status: { observedGeneration: 1 } },
      'pg',
    );
    const own = object('v1 Pod pg-0', running, 'pg-set');
    const odd = object('v1 Service loop', { spec: { clusterIP: 'None' } }, 'loop');
    const tree = treeOf([cluster, inner, own, odd]);
    expect(drawn(tree).slice(-4)).toEqual([
      '  Not applied by a task',
      '    Cluster pg',
      '      StatefulSet pg-set',
      '        Pod pg-0',
    ]);
    expect(drawn(tree).join()).not.toContain('loop');
  });

  it('says what was deleted, and what may not be read', () => {
    const deleted = drawn(treeOf([set, ...pods, service]));
    expect(deleted).toContain('      Secret keys [was deleted]');
    const refused = drawn(treeOf([set, service], { refused: 'Secret' }));
    expect(refused).toContain('      Secret keys [You may not list secrets in namespace demo.]');
    expect(drawn(treeOf([set, service, secret], { refused: 'Pod' }))).toContain(
      '        You may not list pods in namespace demo.',
    );
  });

  it('takes the later run from the annotations, and the task from the inventory otherwise', () => {
    const byName = (tree: ResourceNode, name: string): ResourceNode | undefined =>
      tree.kind === 'StatefulSet' && tree.name === name
        ? tree
        : tree.children.map((child) => byName(child, name)).find(Boolean);
    expect(byName(treeOf([set]), 'orders')?.by).toMatchObject({ plan: 'deploy', task: 'node', run: 'run-1' });
    const later = { ...set, ...planned('backup', 'run-2') };
    expect(
      byName(treeOf([{ ...later, metadata: { ...set.metadata, ...later.metadata } }]), 'orders')?.by,
    ).toMatchObject({
      plan: 'backup',
      task: '',
      run: 'run-2',
    });
  });

  it('does not count a failed pod below a controller that is healthy', () => {
    const whole = { ...set, status: { observedGeneration: 1, replicas: 2, readyReplicas: 2, updatedReplicas: 2 } };
    const failed = object('v1 Pod orders-9', { ...labelled, status: { phase: 'Failed' } }, 'orders');
    const tree = treeOf([whole, pods[0] ?? set, failed, service, secret]);
    expect(drawn(tree)).toContain('    Task node');
    expect(tree.unhealthy).toBe(1);
  });

  it('marks objects that were changed outside of plans', () => {
    const words = 'spec.ports[0].port is 81, the last plan left 80';
    const reported = { key: '/Service/web', apiVersion: 'v1', kind: 'Service', name: 'web', plan: 'deploy' };
    const drifted = new Map([['/Service/web', { ...reported, state: 'changed' as const, words }]]);
    const rows = treeRows(treeOf([set, ...pods, service, secret], { drifted }), new Map());
    expect(rows.find(({ node }) => node.kind === 'Service')?.node).toMatchObject({ status: 'drifted', drift: words });
  });
});

describe('the lines of the tree', () => {
  const tree = treeOf([set, ...pods, service, secret]);
  const rows = treeRows(tree, new Map());
  const idOf = (name: string, sort = 'object') =>
    rows.find(({ node }) => node.name === name && node.sort === sort)?.node.id ?? '';

  it('have a level and a place among their siblings', () => {
    const row = rows.find(({ node }) => node.name === 'orders-1');
    expect(row).toMatchObject({ level: 5, position: 2, siblings: 2, isOpen: false, parent: 'u-orders' });
  });

  it.each([
    ['ArrowDown', 'orders-0', { go: 'u-orders-1' }],
    ['ArrowUp', 'orders-1', { go: 'u-orders-0' }],
    ['ArrowLeft', 'orders-1', { go: 'u-orders' }],
    ['ArrowRight', 'orders-1', undefined],
    ['Home', 'orders-1', { go: 'instance' }],
    ['*', 'orders-1', { open: ['u-orders-0', 'u-orders-1'] }],
  ])('%s at %s', (key, name, expected) => {
    expect(treeStep(key, rows, idOf(name))).toEqual(expected);
  });

  it('are closed, and opened again, by arrow keys', () => {
    expect(treeStep('ArrowLeft', rows, 'u-orders')).toEqual({ close: 'u-orders' });
    const closed = treeRows(tree, new Map([['u-orders', false]]));
    expect(closed.length).toBe(rows.length - 2);
    expect(treeStep('ArrowRight', closed, 'u-orders')).toEqual({ open: ['u-orders'] });
  });

  it('are found by typing', () => {
    expect(typedAhead(rows, 'instance', 'orders-1')).toBe('u-orders-1');
    expect(typedAhead(rows, 'u-orders-1', 'k')).toBe(idOf('keys', 'task'));
  });

  it('are filtered with what is above them', () => {
    const found = filteredTree(tree, { query: 'pod orders-1', isUnhealthyOnly: false });
    expect(found === undefined ? [] : drawn(found).map((line) => line.trim().split(' [')[0])).toEqual([
      'Instance orders',
      'Phase deploy / nodes',
      'Task node',
      'StatefulSet orders',
      'Pod orders-1',
    ]);
    expect(filteredTree(tree, { query: 'nothing', isUnhealthyOnly: false })).toBeUndefined();
    expect(filteredTree(tree, { query: '', isUnhealthyOnly: true })?.children).toHaveLength(1);
  });

  it('begin closed below a parent with very many children', () => {
    const many = Array.from({ length: 2_000 }, (_, at) =>
      object(`v1 Pod orders-${at}`, { ...labelled, ...running }, 'orders'),
    );
    const large = treeOf([set, ...many, service, secret]);
    expect(treeRows(large, new Map()).length).toBe(9);
    expect(treeRows(large, new Map([['u-orders', true]])).length).toBe(2_009);
    expect(large.objects).toBe(2_003);
  });
});
