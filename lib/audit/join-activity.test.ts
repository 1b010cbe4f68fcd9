import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from './activity';
import type { AuditEntry } from './audit-entry';
import { auditEntry, planRun } from './audit-fixture';
import { entriesOfRun } from './cluster-entries';
import { joinActivity } from './join-activity';

const WHERE = { cluster: 'prod' };
const own = (changes: Partial<AuditEntry> = {}): ActivityEntry => {
  const { object, ...rest } = changes;
  const entry = auditEntry(rest);
  return { ...entry, source: 'console', ...(object === undefined ? {} : { object }) };
};

describe('joinActivity', () => {
  it('shows once what this console and the cluster know, with its run', () => {
    const joined = joinActivity([own()], entriesOfRun(planRun(), WHERE));
    expect(joined).toEqual([{ ...own(), run: { instance: 'db', name: 'db-backup-1' } }]);
  });

  it('keeps what another person did, what was done later, and what was refused here', () => {
    const later = { ...planRun(), metadata: { ...planRun().metadata, creationTimestamp: '2026-11-28T12:05:00Z' } };
    expect(joinActivity([own()], entriesOfRun(planRun({ requestedBy: 'kim' }), WHERE))).toHaveLength(2);
    expect(joinActivity([own()], entriesOfRun(later, WHERE))).toHaveLength(2);
    expect(joinActivity([own({ result: 'refused' })], entriesOfRun(planRun(), WHERE))).toHaveLength(2);
  });

  it('has the newest first', () => {
    const times = joinActivity([own()], entriesOfRun(planRun({ requestedBy: 'kim' }), WHERE)).map(({ time }) => time);
    expect(times).toEqual(['2026-11-28T12:00:01.000Z', '2026-11-28T12:00:00.000Z']);
  });

  describe('two starts of one plan by one person in the same second', () => {
    const started = (execution: string, at: string) =>
      own({ time: `2026-11-28T12:00:0${at}Z`, id: execution, execution });
    const recorded = (uid: string, name: string) => {
      const { metadata, ...rest } = planRun({ uid });
      return entriesOfRun({ ...rest, metadata: { ...metadata, name, uid: `of ${name}` } }, WHERE);
    };
    const runsById = (entries: readonly ActivityEntry[]) => entries.map(({ id, run }) => `${id}: ${run?.name}`);

    it('each have their own run, whatever the order of the records', () => {
      const mine = [started('e2', '1.900'), started('e1', '1.100')];
      const records = [recorded('e1', 'db-backup-1'), recorded('e2', 'db-backup-2')];
      for (const each of [records, records.toReversed()]) {
        expect(runsById(joinActivity(mine, each.flat()))).toEqual(['e2: db-backup-2', 'e1: db-backup-1']);
      }
    });

    it('of which the console knows one, leave the other one as it is', () => {
      const joined = joinActivity(
        [started('e2', '1.100')],
        [...recorded('e1', 'db-backup-1'), ...recorded('e2', 'db-backup-2')],
      );
      expect(joined.map(({ source, run }) => `${source} ${run?.name}`)).toEqual([
        'console db-backup-2',
        'cluster db-backup-1',
      ]);
    });

    it('of which the console does not know the executions, are in the order of the runs', () => {
      const mine = [
        own({ time: '2026-11-28T12:00:01.900Z', id: 'late' }),
        own({ time: '2026-11-28T12:00:01.900Z', id: 'early' }),
      ];
      const records = [...recorded('e9', 'db-backup-9'), ...recorded('e10', 'db-backup-10')];
      expect(runsById(joinActivity(mine, records))).toEqual(['late: db-backup-10', 'early: db-backup-9']);
    });
  });

  it('does not give the run of another execution to an entry that knows its own', () => {
    expect(joinActivity([own({ execution: 'e1' })], entriesOfRun(planRun({ uid: 'e2' }), WHERE))).toHaveLength(2);
  });

  it('finds the run however late it began, and whatever the console called it', () => {
    const { metadata, ...rest } = planRun({ uid: 'e1', cause: 'Parameters' });
    const late = { ...rest, metadata: { ...metadata, creationTimestamp: '2026-11-28T12:30:00Z' } };
    const [entry, ...others] = joinActivity([own({ execution: 'e1' })], entriesOfRun(late, WHERE));
    expect(others).toEqual([]);
    expect(entry?.run?.name).toBe('db-backup-1');
  });

  it('finds the run that an undo of another one began', () => {
    const object = { ...own().object, group: 'bravo.kudo.dev', resource: 'planruns', name: 'db-deploy-3' };
    const undo = own({ verb: 'undo', object, execution: 'e1' });
    expect(joinActivity([undo], entriesOfRun(planRun({ uid: 'e1', undoOf: 'db-deploy-3' }), WHERE))).toHaveLength(1);
  });

  it('hides no run of somebody who chose the execution of another person', () => {
    const forged = entriesOfRun(planRun({ uid: 'e1', requestedBy: 'mallory' }), WHERE);
    const joined = joinActivity(
      [own({ execution: 'e1' })],
      [...entriesOfRun(planRun({ uid: 'e1' }), WHERE), ...forged],
    );
    expect(joined.map(({ person }) => person.name)).toEqual(['mallory', 'jo']);
  });
});
