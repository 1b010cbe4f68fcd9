import { describe, expect, it } from 'vitest';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { ActivityEntry } from './activity';
import { planRun } from './audit-fixture';
import { entriesOfApproval, entriesOfRun } from './cluster-entries';

const WHERE = { cluster: 'prod' };
const run = planRun;
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
