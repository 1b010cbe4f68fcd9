import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { healthSentence, kubeHealthOf } from './health';

const object = (apiVersion: string, kind: string, spec: JsonObject, status: JsonObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace: 'n', generation: 1 },
  spec,
  status,
});
/** After a change of its spec that its status may not know yet. */
const changed = (whole: KubeObject, generation: number): KubeObject => ({
  ...whole,
  metadata: { ...whole.metadata, generation },
});
const condition = (type: string, status: string, reason = '') => ({ type, status, reason, message: '' });
const deployment = (status: JsonObject, generation = 1) =>
  changed(object('apps/v1', 'Deployment', { replicas: 2 }, { observedGeneration: 1, ...status }), generation);
const statefulSet = (strategy: JsonObject, status: JsonObject) =>
  object('apps/v1', 'StatefulSet', { replicas: 3, updateStrategy: strategy }, { observedGeneration: 1, ...status });
const job = (spec: JsonObject, status: JsonObject) => object('batch/v1', 'Job', spec, status);
const pod = (phase: string, ready: string) =>
  object('v1', 'Pod', {}, { phase, conditions: [condition('Ready', ready)] });
const service = (spec: JsonObject, status: JsonObject = {}) => object('v1', 'Service', spec, status);

const whole = { replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
const rolling = { type: 'RollingUpdate' };

describe('healthOf', () => {
  it.each<[string, KubeObject, string]>([
    ['HLT-01 a ConfigMap', object('v1', 'ConfigMap', {}, {}), 'healthy'],
    [
      'HLT-02 an established CRD',
      object(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        {},
        { conditions: [condition('Established', 'True')] },
      ),
      'healthy',
    ],
    [
      'HLT-02 a CRD that is not established',
      object(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        {},
        { conditions: [condition('Established', 'False')] },
      ),
      'progressing',
    ],
    ['HLT-03 a Job without success', job({}, {}), 'progressing'],
    ['HLT-03 a Job with one success', job({}, { succeeded: 1 }), 'healthy'],
    ['HLT-03 inverted (T-08): a Job with all of three', job({ completions: 3 }, { succeeded: 3 }), 'healthy'],
    ['T-08 a Job with one of three', job({ completions: 3 }, { succeeded: 1 }), 'progressing'],
    [
      'APL-27 a Job that failed',
      job({}, { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] }),
      'failed',
    ],
    ['HLT-05 a pod of unknown phase', pod('Unknown', 'False'), 'unknown'],
    ['HLT-05 a pod that runs and is ready', pod('Running', 'True'), 'healthy'],
    ['HLT-05 a pod that runs and is not ready', pod('Running', 'False'), 'progressing'],
    ['HLT-05 a pod that succeeded', pod('Succeeded', 'False'), 'progressing'],
    ['HLT-06 an active namespace', object('v1', 'Namespace', {}, { phase: 'Active' }), 'healthy'],
    ['HLT-06 a terminating namespace', object('v1', 'Namespace', {}, { phase: 'Terminating' }), 'progressing'],
    ['HLT-07 an ExternalName', service({ type: 'ExternalName' }), 'healthy'],
    ['HLT-07 a Service without address', service({}), 'progressing'],
    ['HLT-07 a headless Service', service({ clusterIP: 'None' }), 'healthy'],
    ['HLT-08 a balancer without ingress', service({ type: 'LoadBalancer', clusterIP: '10.0.0.1' }), 'progressing'],
    [
      'HLT-08 a balancer with external addresses',
      service({ type: 'LoadBalancer', clusterIP: '10.0.0.1', externalIPs: ['1.2.3.4'] }),
      'healthy',
    ],
    [
      'HLT-08 a balancer with ingress',
      service({ type: 'LoadBalancer', clusterIP: '10.0.0.1' }, { loadBalancer: { ingress: [] } }),
      'healthy',
    ],
    ['HLT-09 a Deployment behind its generation', deployment(whole, 2), 'progressing'],
    ['HLT-10 a Deployment with too few updated', deployment({ ...whole, updatedReplicas: 1 }), 'progressing'],
    ['HLT-10 a Deployment with old replicas left', deployment({ ...whole, replicas: 3 }), 'progressing'],
    ['HLT-10 a Deployment with too few available', deployment({ ...whole, availableReplicas: 1 }), 'progressing'],
    ['a whole Deployment', deployment(whole), 'healthy'],
    [
      'HLT-11 a Deployment past its deadline',
      deployment({
        ...whole,
        availableReplicas: 0,
        conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')],
      }),
      'progressing',
    ],
    [
      'HLT-12 inverted (T-07): a StatefulSet OnDelete',
      statefulSet({ type: 'OnDelete' }, { readyReplicas: 3, currentRevision: 'a', updateRevision: 'b' }),
      'healthy',
    ],
    [
      'HLT-13 a StatefulSet with a partition',
      statefulSet(
        { ...rolling, rollingUpdate: { partition: 2 } },
        { readyReplicas: 3, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
      ),
      'healthy',
    ],
    [
      'a StatefulSet whose pods are all updated and ready, before the revision is told to be the current one',
      statefulSet(
        { ...rolling, rollingUpdate: { partition: 0 } },
        { readyReplicas: 3, updatedReplicas: 3, currentRevision: 'a', updateRevision: 'b' },
      ),
      'healthy',
    ],
    [
      'a StatefulSet of which nobody says that its pods are updated',
      statefulSet({ ...rolling, rollingUpdate: {} }, { readyReplicas: 3 }),
      'progressing',
    ],
    [
      'a StatefulSet in the middle of an update',
      statefulSet(rolling, { readyReplicas: 3, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' }),
      'progressing',
    ],
    [
      'HLT-14 inverted: a DaemonSet without ready pods',
      object(
        'apps/v1',
        'DaemonSet',
        {},
        { observedGeneration: 1, desiredNumberScheduled: 1, updatedNumberScheduled: 1 },
      ),
      'progressing',
    ],
    ['a custom resource without conditions', object('x.io/v1', 'Thing', {}, {}), 'healthy'],
    [
      'a custom resource that is not Ready',
      object('x.io/v1', 'Thing', {}, { conditions: [condition('Ready', 'False')] }),
      'progressing',
    ],
    [
      'a custom resource that is stalled',
      object('x.io/v1', 'Thing', {}, { conditions: [condition('Stalled', 'True')] }),
      'failed',
    ],
    [
      'a custom resource whose change is not seen yet',
      changed(object('x.io/v1', 'Thing', {}, { observedGeneration: 1 }), 2),
      'progressing',
    ],
  ])('%s is judged', (_title, subject, expected) => {
    expect(kubeHealthOf(subject).state).toBe(expected);
  });

  it('says in one sentence what is missing and which pod keeps it back', () => {
    const set = statefulSet(rolling, { readyReplicas: 2, currentRevision: 'a', updateRevision: 'a' });
    const pulling: KubeObject = {
      ...pod('Pending', 'False'),
      metadata: { name: 'x-2' },
      status: { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
    };
    expect(healthSentence(set, kubeHealthOf(set), [pulling])).toBe(
      'StatefulSet x: 2 of 3 ready; pod x-2: ImagePullBackOff',
    );
  });

  it('says which Secret or ConfigMap a container waits for', () => {
    const waiting = { reason: 'CreateContainerConfigError', message: 'secret "keys" not found' };
    const starting: KubeObject = {
      ...pod('Pending', 'False'),
      status: { phase: 'Pending', containerStatuses: [{ state: { waiting } }] },
    };
    expect(kubeHealthOf(starting).message).toBe('CreateContainerConfigError: secret "keys" not found');
  });

  it('holds an object that is being deleted for not healthy', () => {
    const leaving = { ...deployment(whole), metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(kubeHealthOf(leaving).message).toBe('is being deleted');
  });
});
