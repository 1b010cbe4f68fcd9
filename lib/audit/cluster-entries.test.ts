import { describe, expect, it } from 'vitest';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { ActivityEntry } from './activity';
import { auditEntry } from './audit-fixture';
import { entriesOfApproval, entriesOfRun, joinActivity } from './cluster-entries';

const WHERE = { cluster: 'prod' };
const run = (spec: PlanRun['spec'] = {}, status: PlanRun['status'] = {}): PlanRun => ({
  apiVersion: 'bravo.kudo.dev/v1alpha1',
  kind: 'PlanRun',
  metadata: { name: 'db-backup-1', namespace: 'demo', uid: 'u1', creationTimestamp: '2026-11-28T12:00:01Z' },
  spec: { instanceName: 'db', plan: 'backup', cause: 'Manual', requestedBy: 'jo', ...spec },
  status,
});
const words = (entries: readonly ActivityEntry[]) =>
  entries.map(({ person, verb, summary }) => `${person.name} ${verb}: ${summary}`);

describe('what the cluster records', () => {
  it.each<[PlanRun['spec'], string[]]>([
    [{}, ['jo run: started plan backup']],
    [{ cause: 'Parameters', plan: 'deploy' }, ['jo edit: changed parameters, started plan deploy']],
    [{ cause: 'Retry', retryOf: 'db-backup-0' }, ['jo retry: retried run db-backup-0']],
    [{ undoOf: 'db-deploy-3' }, ['jo undo: undid run db-deploy-3']],
    [{ requestedBy: '', cause: 'Schedule' }, []],
  ])('of a run: %o', (spec, expected) => {
    expect(words(entriesOfRun(run(spec), WHERE))).toEqual(expected);
  });

  it('has who steered a run, and the run itself to follow', () => {
    const steering = [
      { at: '2026-11-28T12:01:00Z', event: 'Paused', by: 'kim' },
      { at: '2026-11-28T12:02:00Z', event: 'Retried', by: 'kim' },
      { at: '2026-11-28T12:03:00Z', event: 'Cancelled' },
    ];
    const entries = entriesOfRun(run({}, { steering }), WHERE);
    expect(words(entries)).toEqual(['jo run: started plan backup', 'kim pause: paused the run']);
    expect(entries[1]?.run).toEqual({ instance: 'db', name: 'db-backup-1' });
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });

  it('has who asked for an approval and who decided', () => {
    const approval: PlanApproval = {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanApproval',
      metadata: { name: 'a1', namespace: 'demo', uid: 'u2' },
      spec: {
        plan: 'wipe',
        instanceName: 'db',
        requestedBy: 'jo',
        requestedAt: '2026-11-28T12:00:00Z',
        reason: 'secret',
      },
      status: { approvedBy: 'kim', approvedAt: '2026-11-28T12:05:00Z' },
    };
    expect(words(entriesOfApproval(approval, WHERE))).toEqual([
      'jo request: asked for an approval of plan wipe of db',
      'kim approve: approved plan wipe of db',
    ]);
  });
});

describe('joinActivity', () => {
  const own = (changes = {}): ActivityEntry => ({ ...auditEntry(changes), source: 'console' });

  it('shows once what this console and the cluster know, with its run', () => {
    const joined = joinActivity([own()], entriesOfRun(run(), WHERE));
    expect(joined).toEqual([{ ...own(), run: { instance: 'db', name: 'db-backup-1' } }]);
  });

  it('keeps what another person did, what was done later, and what was refused here', () => {
    const later = { ...run(), metadata: { ...run().metadata, creationTimestamp: '2026-11-28T12:05:00Z' } };
    expect(joinActivity([own()], entriesOfRun(run({ requestedBy: 'kim' }), WHERE))).toHaveLength(2);
    expect(joinActivity([own()], entriesOfRun(later, WHERE))).toHaveLength(2);
    expect(joinActivity([own({ result: 'refused' })], entriesOfRun(run(), WHERE))).toHaveLength(2);
  });

  it('has the newest first', () => {
    const times = joinActivity([own()], entriesOfRun(run({ requestedBy: 'kim' }), WHERE)).map(({ time }) => time);
    expect(times).toEqual(['2026-11-28T12:00:01.000Z', '2026-11-28T12:00:00.000Z']);
  });
});
