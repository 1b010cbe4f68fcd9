import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { auditedAction } from './audited-action';

const CANARY = 'canary-correct-horse';

function of(method: string, path: string, body?: JsonValue, more: { query?: string; accept?: string } = {}) {
  const query = new URLSearchParams(more.query ?? '');
  return auditedAction({ method, path: path.split('/'), query, body, accept: more.accept ?? 'application/json' });
}
const short = (action: ReturnType<typeof of>) =>
  action &&
  `${action.verb} ${action.object.resource} ${action.object.namespace}/${action.object.name}: ${action.summary}`;

/** Values wherever a route takes them. */
const values = {
  parameters: { PASSWORD: CANARY, SIZE: CANARY },
  seen: { SIZE: CANARY },
  reason: CANARY,
  confirm: CANARY,
};

describe('what a request does', () => {
  it.each<[string, string, JsonValue, string]>([
    [
      'POST',
      'instances/demo/db/plans/backup',
      values,
      'run instances demo/db: started plan backup, parameters PASSWORD, SIZE',
    ],
    [
      'POST',
      'instances/demo/db/plans/backup',
      { breakLock: CANARY },
      'run instances demo/db: started plan backup, broke the lock',
    ],
    [
      'POST',
      'instances/demo/db/plans/backup',
      { retryOf: 'db-backup-1' },
      'retry instances demo/db: retried run db-backup-1',
    ],
    [
      'PATCH',
      'kube/apis/apps/v1/namespaces/demo/deployments/web/scale',
      { spec: { replicas: 3 } },
      'scale deployments demo/web: scaled to 3',
    ],
    [
      'PATCH',
      'kube/apis/apps/v1/namespaces/demo/deployments/web',
      { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': CANARY } } } } },
      'restart deployments demo/web: restarted the pods',
    ],
    [
      'PATCH',
      'kube/api/v1/nodes/n',
      { spec: { unschedulable: true } },
      'patch nodes /n: changed nodes: spec.unschedulable',
    ],
    ['POST', 'kube/api/v1/namespaces/demo/pods/web-1/eviction', {}, 'evict pods demo/web-1: evicted the pod'],
    [
      'POST',
      'kube/apis/batch/v1/namespaces/demo/jobs',
      {
        metadata: {
          name: 'tick-x',
          annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
          ownerReferences: [{ kind: 'CronJob', name: 'tick' }],
        },
      },
      'trigger jobs demo/tick-x: started a Job of CronJob tick',
    ],
    ['POST', 'instances/demo/db/parameters', values, 'edit instances demo/db: changed parameters PASSWORD, SIZE'],
    [
      'POST',
      'instances/demo/db/parameters/secret',
      {},
      'edit instances demo/db: moved the values of secret parameters to a Secret',
    ],
    [
      'POST',
      'instances/demo/db/version',
      { operatorVersion: 'pg-2', ...values },
      'upgrade instances demo/db: changed the version to pg-2, parameters PASSWORD, SIZE',
    ],
    [
      'PATCH',
      'instances/demo/db/queue',
      { do: 'remove', plan: 'backup' },
      'dequeue instances demo/db: removed plan backup from the queue',
    ],
    [
      'POST',
      'instances/demo/db/drift/restore',
      { keys: [CANARY] },
      'restore instances demo/db: reverted objects that drifted',
    ],
    ['DELETE', 'instances/demo/db', { uid: CANARY }, 'delete instances demo/db: deleted the Instance'],
    [
      'PATCH',
      'runs/demo/db-1',
      { do: 'skip', phase: 'main', step: 'wait', reason: CANARY },
      'skip planruns demo/db-1: skipped step main.wait',
    ],
    ['PATCH', 'runs/demo/db-1', { do: 'pause' }, 'pause planruns demo/db-1: paused the run'],
    ['POST', 'runs/demo/db-1/undo', values, 'undo planruns demo/db-1: undid the run'],
    ['GET', 'runs/demo/db-1/snapshot', null, 'download planruns demo/db-1: downloaded the snapshot of the run'],
    ['POST', 'packages', null, 'upload packages /: uploaded a package'],
    ['POST', 'packages/crds', {}, "install packages /: installed Bravo's CRDs"],
    [
      'POST',
      'packages/etcd/1.0/install',
      { namespace: 'demo', instance: 'db', ...values },
      'install instances demo/db: installed etcd 1.0, parameters PASSWORD, SIZE',
    ],
    [
      'POST',
      'workshop/install',
      { namespace: 'demo', instance: 'db', files: { 'operator.yaml': CANARY }, ...values },
      'install instances demo/db: installed a draft of the workshop, parameters PASSWORD, SIZE',
    ],
    [
      'POST',
      'repositories/test',
      { name: 'lab', password: CANARY },
      'test repositories /lab: tested the connection to a repository',
    ],
    [
      'POST',
      'repositories',
      { name: 'lab', password: CANARY },
      'create repositories /lab: added the repository to the console',
    ],
    ['PUT', 'repositories/lab', { name: 'lab', url: CANARY }, 'update repositories /lab: changed the repository'],
    ['DELETE', 'repositories/lab', null, 'delete repositories /lab: removed the repository from the console'],
    [
      'POST',
      'repositories/lab/add',
      { name: 'pond', operatorVersion: '1.0.0', appVersion: '' },
      'download repositories /lab: added pond 1.0.0 to the catalogue',
    ],
    [
      'POST',
      'upgrades',
      { namespace: 'demo', instances: ['a', 'b'], ...values },
      'create operatorupgrades demo/: started an upgrade of a, b, parameters PASSWORD, SIZE',
    ],
    ['POST', 'controller', {}, 'start controllers /: started the controller'],
    [
      'PATCH',
      'kube/apis/bravo.kudo.dev/v1alpha1/namespaces/demo/planapprovals/a/status',
      { status: { approvedBy: 'x' } },
      'approve planapprovals demo/a: approved the request',
    ],
    [
      'PATCH',
      'kube/apis/bravo.kudo.dev/v1alpha1/namespaces/demo/planapprovals/a/status',
      { status: { rejectedBy: 'x' } },
      'reject planapprovals demo/a: rejected the request',
    ],
    [
      'PATCH',
      'kube/apis/kudo.dev/v1beta1/namespaces/demo/instances/db',
      { metadata: { annotations: { 'bravo.kudo.dev/lock': CANARY } } },
      'lock instances demo/db: locked the Instance',
    ],
    [
      'PATCH',
      'kube/apis/kudo.dev/v1beta1/namespaces/demo/instances/db',
      { spec: { parameters: { PASSWORD: CANARY } } },
      'patch instances demo/db: changed instances: spec.parameters',
    ],
    [
      'POST',
      'kube/api/v1/namespaces/demo/secrets',
      { metadata: { name: 'pw' }, data: { password: CANARY } },
      'create secrets demo/pw: created secrets',
    ],
    ['DELETE', 'kube/api/v1/namespaces/demo/pods/p', null, 'delete pods demo/p: deleted pods'],
    ['DELETE', 'kube/api/v1/namespaces/demo', null, 'delete namespaces /demo: deleted namespaces'],
    ['GET', 'kube/api/v1/namespaces/demo/secrets/pw', null, 'read secrets demo/pw: read the Secret with its values'],
    ['GET', 'kube/api/v1/secrets', null, 'read secrets /: read Secrets with their values'],
  ])('%s %s', (method, path, body, said) => {
    const action = of(method, path, body);
    expect(short(action)).toBe(said);
    expect(JSON.stringify(action)).not.toContain(CANARY);
  });

  it.each<[string, string, { query?: string; accept?: string }]>([
    ['GET', 'instances/demo/db/drift', {}],
    ['GET', 'kube/api/v1/namespaces/demo/configmaps/c', {}],
    ['GET', 'kube/api/v1/secrets', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }],
    ['POST', 'instances/demo/db/plans/backup', { query: 'dryRun=true' }],
    ['PUT', 'kube/api/v1/namespaces/demo/configmaps/c', { query: 'dryRun=All' }],
    ['POST', 'kube/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {}],
    ['POST', 'packages/etcd/1.0/preview', {}],
  ])('%s %s %o is not in the log', (method, path, more) => {
    expect(of(method, path, undefined, more)).toBeUndefined();
  });

  it('keeps out names that are none', () => {
    const parameters = { [`a ${CANARY}`]: '1', GOOD: '2' };
    expect(of('POST', 'instances/demo/db/parameters', { parameters })?.summary).toBe('changed parameter GOOD');
    const named = of('POST', 'kube/api/v1/namespaces/demo/secrets', { metadata: { name: `${CANARY}\n` } });
    expect(named?.object.name).toBe('');
  });
});
