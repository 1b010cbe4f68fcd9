import { describe, expect, it } from 'vitest';
import { clusterCapacity, NodeTotals, PodRequests, shareState } from './capacity';
import type { KubeObject } from './object';

const container = (cpu: string, memory: string, more = {}) => ({ resources: { requests: { cpu, memory } }, ...more });
const pod = (spec: object, phase = 'Running'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { nodeName: 'a', ...spec },
  status: { phase },
});
const node = (ready: string, spec = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a' },
  spec,
  status: {
    allocatable: { cpu: '3500m', memory: '2Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: ready }],
  },
});

describe('the capacity of a cluster', () => {
  it('adds up what Nodes can allocate and counts those that are not ready or cordoned', () => {
    const nodes = new NodeTotals();
    nodes.add([node('True'), node('Unknown')]);
    nodes.add([node('True', { unschedulable: true })]);
    const capacity = clusterCapacity(nodes, new PodRequests());
    expect(capacity).toMatchObject({ nodes: 3, notReady: 1, cordoned: 1 });
    expect(capacity.cpu.allocatable).toBe(10.5);
    expect(capacity.memory.allocatable).toBe(3 * 2 * 1024 ** 3);
    expect(capacity.pods.allocatable).toBe(330);
  });

  it('counts pods that are on a Node and not over', () => {
    const sum = new PodRequests();
    const containers = [container('100m', '1Mi')];
    sum.add([pod({ containers }), pod({ containers, nodeName: '' }, 'Pending'), pod({ containers }, 'Succeeded')]);
    sum.add([pod({ containers })]);
    expect(sum.pods).toBe(2);
    expect(sum.cpu).toBeCloseTo(0.2);
    expect(sum.memory).toBe(2 * 1024 ** 2);
  });

  it('counts a pod as the scheduler does: init containers one by one, sidecars beside them, and the overhead', () => {
    const sum = new PodRequests();
    const initContainers = [container('1', '0', { restartPolicy: 'Always' }), container('3', '0')];
    sum.add([pod({ containers: [container('2', '0')], initContainers, overhead: { cpu: '250m' } })]);
    expect(sum.cpu).toBe(4.25);
  });

  it('takes nothing of a container that requests nothing, or nonsense', () => {
    const sum = new PodRequests();
    sum.add([pod({ containers: [{}, container('a lot', '')] })]);
    expect([sum.pods, sum.cpu, sum.memory]).toEqual([1, 0, 0]);
  });

  it('is nearly full from 85 %', () => {
    const state = (requested: number, allocatable: number) => shareState({ requested, allocatable });
    expect([state(1, 10), state(8.5, 10), state(11, 10), state(0, 0)]).toEqual(['ok', 'nearly', 'over', 'ok']);
  });
});
