import { describe, expect, it } from 'vitest';
import { type AuditEntry, auditedAction, matchesAudit } from './audit-entry';

const of = (method: string, path: string, query = '') => auditedAction(method, path, new URLSearchParams(query));

describe('auditedAction', () => {
  it.each([
    ['POST', '/api/instances/demo/db/plans/backup', { action: 'start plan', namespace: 'demo', name: 'db', plan: 'backup' }],
    ['POST', '/api/instances/demo/db/parameters', { action: 'edit parameters', namespace: 'demo', name: 'db' }],
    ['DELETE', '/api/instances/demo/db', { action: 'uninstall', namespace: 'demo', name: 'db' }],
    ['PATCH', '/api/runs/demo/db-1', { action: 'steer run', namespace: 'demo', name: 'db-1' }],
    ['POST', '/api/packages/etcd/1.0/install', { action: 'install', namespace: '', name: 'etcd 1.0' }],
    [
      'PATCH',
      '/api/kube/apis/bravo.kudo.dev/v1alpha1/namespaces/demo/planapprovals/a/status',
      { action: 'patch planapprovals/status', namespace: 'demo', name: 'a' },
    ],
    ['DELETE', '/api/kube/api/v1/namespaces/demo/pods/p', { action: 'delete pods', namespace: 'demo', name: 'p' }],
    ['DELETE', '/api/kube/api/v1/namespaces/demo', { action: 'delete namespaces', namespace: '', name: 'demo' }],
    [
      'POST',
      '/api/kube/apis/rbac.authorization.k8s.io/v1/clusterroles',
      { action: 'create clusterroles', namespace: '', name: '' },
    ],
  ])('%s %s', (method, path, expected) => {
    expect(of(method, path)).toEqual(expected);
  });

  it.each([
    ['GET', '/api/instances/demo/db', ''],
    ['POST', '/api/instances/demo/db/plans/backup', 'dryRun=true'],
    ['PUT', '/api/kube/api/v1/namespaces/demo/configmaps/c', 'dryRun=All'],
    ['POST', '/api/kube/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', ''],
    ['POST', '/api/packages/etcd/1.0/preview', ''],
  ])('%s %s?%s changes nothing', (method, path, query) => {
    expect(of(method, path, query)).toBeUndefined();
  });
});

describe('matchesAudit', () => {
  const entry: AuditEntry = {
    at: '2026-01-01T00:00:00Z',
    user: 'jo',
    groups: [],
    action: 'start plan',
    namespace: 'demo',
    name: 'db',
    plan: 'backup',
    status: 403,
    reason: 'Forbidden',
    requestId: 'r',
  };
  const all = { text: '', user: '', namespace: '', isRefusal: false };

  it('finds by text, person, namespace and refusal', () => {
    expect(matchesAudit(entry, { ...all, text: 'BACKUP', user: 'jo', namespace: 'demo', isRefusal: true })).toBe(true);
    expect(matchesAudit(entry, { ...all, text: 'restore' })).toBe(false);
    expect(matchesAudit(entry, { ...all, user: 'kim' })).toBe(false);
    expect(matchesAudit({ ...entry, status: 200 }, { ...all, isRefusal: true })).toBe(false);
  });
});
