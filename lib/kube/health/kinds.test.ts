import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { kubeHealthOf } from './health';

const object = (kind: string, spec: JsonObject, status: JsonObject, generation = 2): KubeObject => {
  const [apiVersion = '', name = ''] = kind.split(' ');
  return { apiVersion, kind: name, metadata: { name: 'x', namespace: 'n', generation }, spec, status };
};
const condition = (type: string, status: string, more: JsonObject = {}) => ({
  type,
  status,
  reason: 'R',
  message: '',
  ...more,
});
const custom = (status: JsonObject) => object('db.example.org/v1 Cluster', {}, status);
const seen = { observedGeneration: 2 };
const behind = { observedGeneration: 1 };

describe('generation', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['apps/v1 Deployment', { replicas: 1 }, { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }],
    [
      'apps/v1 StatefulSet',
      { replicas: 1 },
      { readyReplicas: 1, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'a' },
    ],
    ['apps/v1 DaemonSet', {}, { desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 }],
    ['apps/v1 ReplicaSet', { replicas: 1 }, { replicas: 1, availableReplicas: 1 }],
    ['v1 ReplicationController', { replicas: 1 }, { replicas: 1, availableReplicas: 1 }],
    ['db.example.org/v1 Cluster', {}, { conditions: [condition('Ready', 'True')] }],
  ])('a whole %s is healthy once its latest change was observed, and not before', (kind, spec, status) => {
    expect(kubeHealthOf(object(kind, spec, { ...status, ...seen }))).toEqual({ state: 'healthy', message: '' });
    expect(kubeHealthOf(object(kind, spec, { ...status, ...behind }))).toEqual({
      state: 'progressing',
      message: 'its latest change has not been observed yet',
    });
  });

  it('of a condition counts too, where the status has none', () => {
    const old = custom({ conditions: [condition('Ready', 'True', behind)] });
    expect(kubeHealthOf(old).state).toBe('progressing');
    expect(kubeHealthOf(custom({ conditions: [condition('Ready', 'True', seen)] })).state).toBe('healthy');
  });
});

describe('kinds that KUDO did not know', () => {
  it.each<[string, JsonObject, string, string]>([
    ['nothing at all', {}, 'healthy', ''],
    ['conditions of its own only', { conditions: [condition('Sunny', 'False')] }, 'healthy', ''],
    ['Ready', { conditions: [condition('Ready', 'True')] }, 'healthy', ''],
    [
      'not Ready',
      { conditions: [condition('Ready', 'False', { message: 'two of three' })] },
      'progressing',
      'Ready is False: two of three',
    ],
    ['Ready unknown', { conditions: [condition('Ready', 'Unknown')] }, 'unknown', 'Ready is Unknown: R'],
    [
      'Available and not Ready',
      { conditions: [condition('Available', 'True'), condition('Ready', 'False')] },
      'progressing',
      'Ready is False: R',
    ],
    [
      'Reconciling',
      { conditions: [condition('Ready', 'True'), condition('Reconciling', 'True')] },
      'progressing',
      'Reconciling is True: R',
    ],
    [
      'Stalled',
      { conditions: [condition('Ready', 'False'), condition('Stalled', 'True', { message: 'no quorum' })] },
      'failed',
      'Stalled is True: no quorum',
    ],
    ['not Stalled', { conditions: [condition('Stalled', 'False')] }, 'healthy', ''],
    ['conditions that are no list', { conditions: 'broken' }, 'healthy', ''],
  ])('with %s', (_, status, state, message) => {
    expect(kubeHealthOf(custom(status))).toEqual({ state, message });
  });
});

describe('built-in kinds', () => {
  it.each<[string, string, JsonObject, JsonObject, string]>([
    ['a claim that waits for its first pod', 'v1 PersistentVolumeClaim', {}, { phase: 'Pending' }, 'healthy'],
    ['a bound claim', 'v1 PersistentVolumeClaim', {}, { phase: 'Bound' }, 'healthy'],
    ['a claim without its volume', 'v1 PersistentVolumeClaim', {}, { phase: 'Lost' }, 'failed'],
    ['an Ingress without an address', 'networking.k8s.io/v1 Ingress', {}, { loadBalancer: {} }, 'healthy'],
    ['a CronJob', 'batch/v1 CronJob', { schedule: '* * * * *' }, {}, 'healthy'],
    ['a Job that is suspended', 'batch/v1 Job', { suspend: true }, {}, 'progressing'],
    ['a Job that is complete', 'batch/v1 Job', {}, { conditions: [condition('Complete', 'True')] }, 'healthy'],
    ['a Job that failed', 'batch/v1 Job', {}, { succeeded: 1, conditions: [condition('Failed', 'True')] }, 'failed'],
    ['a pod that failed for good', 'v1 Pod', {}, { phase: 'Failed' }, 'failed'],
    [
      'a CRD whose names are taken',
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      {},
      { conditions: [condition('NamesAccepted', 'False')] },
      'progressing',
    ],
    [
      'a CRD that is served',
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      {},
      { conditions: [condition('Established', 'True')] },
      'healthy',
    ],
    ['a Deployment scaled to nothing', 'apps/v1 Deployment', { replicas: 0 }, { ...seen }, 'healthy'],
    [
      'a StatefulSet that is scaled down',
      'apps/v1 StatefulSet',
      { replicas: 1 },
      { ...seen, replicas: 3, readyReplicas: 3, currentRevision: 'a', updateRevision: 'a' },
      'healthy',
    ],
    ['a DaemonSet without nodes', 'apps/v1 DaemonSet', {}, { ...seen }, 'healthy'],
    [
      'a balancer without an address',
      'v1 Service',
      { type: 'LoadBalancer', clusterIP: '10.0.0.1' },
      { loadBalancer: {} },
      'progressing',
    ],
    ['a PodDisruptionBudget', 'policy/v1 PodDisruptionBudget', {}, {}, 'healthy'],
  ])('%s', (...[, kind, spec, status, expected]) => {
    expect(kubeHealthOf(object(kind, spec, status)).state).toBe(expected);
  });
});
