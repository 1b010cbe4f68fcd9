import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object';
import { replicasPath, workloadActions, workloadWrite } from './actions';
import { drainedPods, drainLosses } from './drain';
import { kubectlWords } from './kubectl-words';
import { newJobName } from './new-jobs';
import { revisionsOf, revisionType, undoPatch } from './revisions';

const object = (apiVersion: string, kind: string, rest: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'web', namespace: 'demo', uid: 'uid-1' },
  ...rest,
});
const apps = (resource: string) => ({ group: 'apps', version: 'v1', resource });
const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };
const cronJobs = { ...jobs, resource: 'cronjobs' };
const nodes = { group: '', version: 'v1', resource: 'nodes' };
const labels = (of: KubeObject, type: typeof jobs) =>
  workloadActions(of, type, replicasPath(type, undefined)).map(({ label }) => label);
const CHOICE = { replicas: 3, jobName: 'web-x', now: '2026-01-02T03:04:05Z' };

describe('the actions of an object', () => {
  it('fit its kind and its state', () => {
    const deployments = apps('deployments');
    expect(labels(object('apps/v1', 'Deployment'), deployments)).toEqual(['Scale', 'Restart', 'Pause rollout']);
    const paused = object('apps/v1', 'Deployment', { spec: { paused: true } });
    expect(labels(paused, deployments)).toEqual(['Scale', 'Restart', 'Resume rollout']);
    expect(workloadActions(paused, deployments, undefined)[0]?.block).toContain('is paused');
    expect(labels(object('apps/v1', 'DaemonSet'), apps('daemonsets'))).toEqual(['Restart']);
    expect(labels(object('apps/v1', 'ReplicaSet'), apps('replicasets'))).toEqual(['Scale']);
    expect(labels(object('batch/v1', 'CronJob'), cronJobs)).toEqual(['Run now', 'Suspend']);
    expect(labels(object('batch/v1', 'CronJob', { spec: { suspend: true } }), cronJobs)).toEqual(['Run now', 'Resume']);
    const done = { status: { conditions: [{ type: 'Complete', status: 'True' }] } };
    expect(labels(object('batch/v1', 'Job', done), jobs)).toEqual(['Run again']);
    expect(labels(object('v1', 'Node', { spec: { unschedulable: true } }), nodes)).toEqual(['Uncordon', 'Drain…']);
    expect(
      labels(object('other.io/v1', 'Deployment'), { group: 'other.io', version: 'v1', resource: 'deployments' }),
    ).toEqual([]);
  });

  it('scale a custom resource as its definition says', () => {
    const type = { group: 'e2e.test', version: 'v1', resource: 'boats' };
    const scale = { specReplicasPath: '.spec.members' };
    const versions = [{ name: 'v1', subresources: { scale } }, { name: 'v2' }];
    const definition = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: { versions } });
    expect(replicasPath(type, definition)).toEqual(['spec', 'members']);
    expect(replicasPath({ ...type, version: 'v2' }, definition)).toBe(undefined);
  });

  it('are writes and commands that kubectl would make', () => {
    const deployments = apps('deployments');
    const web = object('apps/v1', 'Deployment');
    const path = { ...deployments, namespace: 'demo', name: 'web' };
    expect(workloadWrite('scale', web, deployments, CHOICE)).toEqual({
      method: 'PATCH',
      path: { ...path, subresource: 'scale' },
      body: { spec: { replicas: 3 } },
    });
    expect(workloadWrite('restart', web, deployments, CHOICE).body).toEqual({
      spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': CHOICE.now } } } },
    });
    expect(kubectlWords('restart', web, deployments, CHOICE)?.join(' ')).toBe(
      'kubectl rollout restart deployments.apps/web -n demo',
    );
  });
});

describe('new Jobs', () => {
  it('of a CronJob belong to it and say that a person started them', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { template: { spec: {} } } };
    const cronJob = object('batch/v1', 'CronJob', { spec: { jobTemplate: template } });
    const { body } = workloadWrite('trigger', cronJob, cronJobs, CHOICE);
    expect(body).toMatchObject({
      metadata: {
        name: 'web-x',
        labels: { a: 'b' },
        annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
        ownerReferences: [{ kind: 'CronJob', name: 'web', uid: 'uid-1', controller: true }],
      },
      spec: { template: { spec: {} } },
    });
  });

  it('that run a Job again have nothing that belongs to the old Job, or to what manages it', () => {
    const generated = { 'controller-uid': 'x', 'batch.kubernetes.io/job-name': 'web' };
    const job = object('batch/v1', 'Job', {
      metadata: {
        name: 'web',
        namespace: 'demo',
        uid: 'uid-1',
        labels: { ...generated, app: 'web', 'kudo.dev/instance': 'orders' },
        annotations: {
          'batch.kubernetes.io/job-tracking': '',
          'meta.helm.sh/release-name': 'r',
          note: 'n',
          'kudo.dev/plan': 'p',
        },
        ownerReferences: [{ kind: 'CronJob' }],
      },
      spec: {
        suspend: true,
        selector: { matchLabels: generated },
        template: { metadata: { labels: { ...generated, app: 'web' } } },
      },
      status: { succeeded: 1 },
    });
    expect(workloadWrite('rerun', job, jobs, CHOICE).body).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'web-x', namespace: 'demo', labels: { app: 'web' }, annotations: { note: 'n' } },
      spec: { template: { metadata: { labels: { app: 'web' } } } },
    });
  });

  it('have names that fit into a label', () => {
    expect(newJobName('backup', 'abcde')).toBe('backup-abcde');
    expect(newJobName(`${'a'.repeat(56)}-bcd`, 'abcde')).toBe(`${'a'.repeat(56)}-abcde`);
  });
});

describe('the rollout history', () => {
  const owned = (name: string, annotations: object, rest: object): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      annotations: { ...annotations },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-1', controller: true }],
    },
    ...rest,
  });
  const template = (image: string, hash: string) => ({
    metadata: { labels: { app: 'web', 'pod-template-hash': hash } },
    spec: { containers: [{ image }] },
  });

  it('of a Deployment is in its ReplicaSets, the newest first', () => {
    const revision = (number: string) => ({ 'deployment.kubernetes.io/revision': number });
    const stranger = { ...owned('other', revision('9'), {}), metadata: { name: 'other' } };
    const sets = [
      owned('web-1', revision('2'), { spec: { template: template('a:1', 'x') }, status: { replicas: 0 } }),
      owned(
        'web-2',
        { ...revision('10'), 'kubernetes.io/change-cause': 'b' },
        { spec: { template: template('a:2', 'y') }, status: { replicas: 3 } },
      ),
      stranger,
    ];
    const web = object('apps/v1', 'Deployment');
    expect(revisionsOf(web, sets)).toMatchObject([
      { number: 10, name: 'web-2', cause: 'b', images: ['a:2'], pods: 3, isCurrent: true },
      {
        number: 2,
        name: 'web-1',
        cause: '',
        images: ['a:1'],
        pods: 0,
        isCurrent: false,
        template: { metadata: { labels: { app: 'web' } } },
      },
    ]);
    expect(
      undoPatch({ ...web, metadata: { ...web.metadata, generation: 4 } }, revisionsOf(web, sets)[1] as never),
    ).toMatchObject([
      { op: 'test', path: '/metadata/uid', value: 'uid-1' },
      { op: 'test', path: '/metadata/generation', value: 4 },
      { op: 'replace', path: '/spec/template', value: { spec: { containers: [{ image: 'a:1' }] } } },
    ]);
  });

  it('of a StatefulSet or DaemonSet is in ControllerRevisions', () => {
    const set = object('apps/v1', 'StatefulSet');
    expect(revisionType(set)?.resource).toBe('controllerrevisions');
    expect(revisionType(object('apps/v1', 'ReplicaSet'))).toBe(undefined);
    const data = { spec: { template: { $patch: 'replace', spec: { containers: [{ image: 'a' }] } } } };
    const [revision] = revisionsOf(set, [owned('web-r', {}, { revision: 3, data })]);
    expect(revision).toMatchObject({ number: 3, pods: undefined, isCurrent: true });
    expect(revision?.template).toEqual({ spec: { containers: [{ image: 'a' }] } });
  });
});

describe('the drain of a Node', () => {
  const pod = (name: string, controller: string, rest: object = {}, annotations = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'demo',
      uid: name,
      labels: { app: name },
      annotations,
      ...(controller === ''
        ? {}
        : { ownerReferences: [{ apiVersion: 'apps/v1', kind: controller, name: 'own', uid: 'o', controller: true }] }),
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    ...rest,
  });
  const cache = {
    spec: {
      volumes: [
        { name: 'cache', emptyDir: {} },
        { name: 'conf', configMap: {} },
      ],
    },
  };

  it('moves pods of controllers, keeps those of DaemonSets and the kubelet, and names what is lost', () => {
    const pods = drainedPods(
      [
        pod('web', 'ReplicaSet'),
        pod('data', 'StatefulSet', cache),
        pod('bare', ''),
        pod('over', '', { status: { phase: 'Succeeded' } }),
        pod('agent', 'DaemonSet', cache),
        pod('etcd', 'Node', {}, { 'kubernetes.io/config.mirror': 'x' }),
      ],
      [],
    );
    expect(pods.map(({ name, fate, losses }) => [name, fate, ...losses])).toEqual([
      ['agent', 'daemon'],
      ['bare', 'evict', 'bare'],
      ['data', 'evict', 'local-data'],
      ['etcd', 'static'],
      ['over', 'evict'],
      ['web', 'evict'],
    ]);
    expect(drainLosses(pods)).toEqual(['bare', 'local-data']);
  });

  it('waits for disruption budgets, but not with pods that are not ready where the budget allows that', () => {
    const budget = (spec: object, status: object): KubeObject => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'hold', namespace: 'demo' },
      spec: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }, ...spec },
      status: { disruptionsAllowed: 0, desiredHealthy: 1, currentHealthy: 0, ...status },
    });
    const unready = pod('web', 'ReplicaSet', { status: { phase: 'Running' } });
    const held = (of: KubeObject, by: KubeObject) => drainedPods([of], [by])[0]?.heldBy;
    expect(held(pod('web', 'ReplicaSet'), budget({}, {}))).toBe('hold');
    expect(held(pod('web', 'ReplicaSet'), budget({}, { disruptionsAllowed: 1 }))).toBe(undefined);
    expect(held(pod('api', 'ReplicaSet'), budget({}, {}))).toBe(undefined);
    expect(held(unready, budget({}, {}))).toBe('hold');
    expect(held(unready, budget({}, { currentHealthy: 1 }))).toBe(undefined);
    expect(held(unready, budget({ unhealthyPodEvictionPolicy: 'AlwaysAllow' }, {}))).toBe(undefined);
  });
});
