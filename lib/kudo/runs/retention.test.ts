import { describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { nameOf } from '@/lib/kube/object';
import { PLAN_RUN_API_VERSION, type PlanRun, type PlanRunStatus } from './plan-run';
import { retentionOf } from './retention';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const LIMITS = { perPlan: 3, days: 90, daysAfterInstance: 7, bytes: 1_000 };

/** A run of plan `backup` of the Instance `i` that ended so many days ago. */
function run(name: string, daysAgo: number, status: PlanRunStatus = {}, spec: PlanRun['spec'] = {}): PlanRun {
  return {
    apiVersion: PLAN_RUN_API_VERSION,
    kind: 'PlanRun',
    metadata: { name, namespace: 'n' },
    spec: { instanceName: 'i', instanceUid: 'i', plan: 'backup', uid: name, ...spec },
    status: { status: 'COMPLETE', finishedAt: formatTime(NOW - daysAgo * DAY), ...status },
  };
}

function expired(runs: readonly PlanRun[], instances = ['i']): string[] {
  const verdict = retentionOf({ runs, instances: new Set(instances), nowMs: NOW, limits: LIMITS });
  return verdict.expired.map(nameOf);
}

describe('retention of records', () => {
  it('keeps the last ones of each plan of each Instance, and the oldest go first', () => {
    const runs = [1, 2, 3, 4, 5].map((days) => run(`r${days}`, days));
    const others = [run('other', 6, {}, { plan: 'deploy' }), run('foreign', 7, {}, { instanceUid: 'j' })];
    expect(expired([...runs, ...others], ['i', 'j'])).toEqual(['r5', 'r4']);
  });

  it('drops what is too old, and the oldest when all together are too large', () => {
    expect(expired([run('old', 91), run('young', 89)])).toEqual(['old']);
    const large = { recordBytes: 600 };
    expect(expired([run('a', 1, large), run('b', 2, large, { plan: 'p' }), run('c', 3, large, { plan: 'q' })])).toEqual(
      ['c', 'b'],
    );
  });

  it('keeps a run that is not over, the one that it repeats, and every one whose backup exists', () => {
    const backup = (name: string): PlanRunStatus => ({ outputs: [{ type: 'backup', name }] });
    const runs = [
      run('retry', 0, { status: 'IN_PROGRESS' }, { retryOf: 'first' }),
      run('first', 100, { status: 'FATAL_ERROR' }),
      run('kept', 101, backup('b1')),
      run('gone', 102, backup('b2')),
      run('deletes', 1, { outputs: [{ type: 'backup-deleted', name: 'b2' }] }),
    ];
    expect(expired(runs)).toEqual(['gone']);
  });

  it('keeps those of an Instance that is gone for some days after that was seen', () => {
    const runs = [run('last', 30), run('first', 40)];
    const input = { runs, instances: new Set<string>(), nowMs: NOW, limits: LIMITS };
    expect(retentionOf(input)).toEqual({ expired: [], orphaned: [runs[0]] });
    const marked = (days: number) => [
      run('last', 30, { instanceGoneAt: formatTime(NOW - days * DAY) }),
      run('first', 40),
    ];
    expect(expired(marked(6), [])).toEqual([]);
    expect(expired(marked(8), [])).toEqual(['first', 'last']);
  });
});
