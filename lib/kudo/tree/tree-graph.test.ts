import { describe, expect, it } from 'vitest';
import { type ResourceNode, resourceNode } from './resource-node';
import { treeGraph } from './tree-graph';

const pod = (at: number, rank: 0 | 2 = 0): ResourceNode =>
  resourceNode(
    {
      id: `pod-${at}`,
      sort: 'object',
      kind: 'Pod',
      name: `pod-${at}`,
      rank,
      status: rank === 0 ? 'healthy' : 'waiting',
    },
    [],
  );
const set = (name: string, children: readonly ResourceNode[]) =>
  resourceNode({ id: name, sort: 'object', kind: 'StatefulSet', name }, children);
const phase = (name: string, children: readonly ResourceNode[]) =>
  resourceNode({ id: name, sort: 'phase', kind: 'Phase', name }, children);
const root = (...phases: readonly ResourceNode[]) =>
  resourceNode({ id: 'instance', sort: 'instance', kind: 'Instance', name: 'orders' }, phases);
const pods = (count: number) => Array.from({ length: count }, (_, at) => pod(at, at === 44 ? 2 : 0));
const nodesIn = (graph: ReturnType<typeof treeGraph>): string[] =>
  graph.flatMap(({ node, children }) => [node.id, ...nodesIn([...children])]);

describe('the graph of a tree', () => {
  it('draws some children of a parent, those that are not healthy first, and counts the hidden ones', () => {
    const [drawn] = treeGraph(root(phase('nodes', [set('db', pods(45))])), new Set());
    const [parent] = drawn?.children ?? [];
    expect(parent?.hidden).toBe(37);
    expect(parent?.children[0]?.node.id).toBe('pod-44');
  });

  it('draws the hidden children of a parent that was opened, up to a limit', () => {
    const tree = root(phase('nodes', [set('db', pods(450))]));
    const [parent] = treeGraph(tree, new Set(['db']))[0]?.children ?? [];
    expect(parent).toMatchObject({ hidden: 250, isFull: true });
  });

  it('draws at most 200 lines at first, and something of each phase', () => {
    const sets = (name: string) => Array.from({ length: 90 }, (_, at) => set(`${name}-${at}`, pods(3)));
    const graph = treeGraph(root(phase('a', sets('a')), phase('b', sets('b'))), new Set());
    expect(nodesIn(graph).length).toBeLessThanOrEqual(202);
    expect(graph.map(({ hidden }) => hidden)).toEqual([0, 0]);
  });
});
