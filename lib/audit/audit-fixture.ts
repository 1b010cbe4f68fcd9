import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { AuditEntry } from './audit-entry';

/** An entry for tests: jo started plan backup of demo/db. */
export function auditEntry({
  name = 'db',
  namespace = 'demo',
  ...changes
}: Partial<Omit<AuditEntry, 'object'>> & { readonly name?: string; readonly namespace?: string } = {}): AuditEntry {
  return {
    time: '2026-11-28T12:00:00.000Z',
    id: `request-${name}`,
    person: { name: 'jo', groups: ['dev'] },
    address: '192.0.2.1',
    cluster: 'prod',
    verb: 'run',
    object: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', namespace, name, subresource: '' },
    summary: 'started plan backup',
    result: 'ok',
    status: 202,
    reason: '',
    durationMs: 12,
    ...changes,
  };
}

/** A PlanRun for tests: jo's run of plan backup of demo/db, one second later. */
export const planRun = (spec: PlanRun['spec'] = {}, status: PlanRun['status'] = {}): PlanRun => ({
  apiVersion: 'bravo.kudo.dev/v1alpha1',
  kind: 'PlanRun',
  metadata: { name: 'db-backup-1', namespace: 'demo', uid: 'u1', creationTimestamp: '2026-11-28T12:00:01Z' },
  spec: { instanceName: 'db', plan: 'backup', cause: 'Manual', requestedBy: 'jo', ...spec },
  status,
});
