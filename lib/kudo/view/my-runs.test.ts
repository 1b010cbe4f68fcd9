import { describe, expect, it } from 'vitest';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { followMyRuns, type MyRun, parseMyRuns, unseenNeeds, withMyRun, withSeen } from './my-runs';

const NOW_MS = 1_700_000_000_000;
const started = { key: 'shop/pg', plan: 'backup', before: 'old', atMs: NOW_MS };
const [mine] = [withMyRun([], started)];

function follow(runs: readonly MyRun[], status: PlanStatus | undefined, nowMs = NOW_MS) {
  const instance = { status: { planStatus: { backup: status } } } as unknown as Instance;
  return followMyRuns(runs, (key) => (key === 'shop/pg' && status !== undefined ? instance : undefined), nowMs);
}

const attentions = (runs: readonly MyRun[], status: PlanStatus) =>
  unseenNeeds(follow(runs, status).needs).map(({ attention }) => attention);

describe('runs that this browser started', () => {
  it('need nobody before they begin and while they go on', () => {
    expect(follow(mine, undefined)).toEqual({ mine, needs: [] });
    expect(follow(mine, { uid: 'old', status: 'FATAL_ERROR' })).toEqual({ mine, needs: [] });
    expect(follow(mine, { uid: 'new', status: 'IN_PROGRESS', message: '' }).needs).toEqual([]);
    expect(follow(mine, undefined).mine).toBe(mine);
  });

  it('need the person when they failed or are held, until the person has looked', () => {
    const failed: PlanStatus = { uid: 'new', status: 'FATAL_ERROR', message: 'no image' };
    expect(attentions(mine, failed)).toEqual(['failed']);
    const followed = follow(mine, failed);
    const seen = withSeen(followed.mine, followed.needs);
    expect(attentions(seen, failed)).toEqual([]);
    expect(follow(seen, failed).mine).toBe(seen);
    const held: PlanStatus = { uid: 'new', status: 'IN_PROGRESS', message: 'Paused before step a.' };
    expect(attentions(mine, held)).toEqual(['paused']);
  });

  it('need the person again when they are held again', () => {
    const held: PlanStatus = { uid: 'new', status: 'IN_PROGRESS', message: 'Paused before step a.' };
    const first = follow(mine, held);
    const going = follow(withSeen(first.mine, first.needs), { ...held, message: '' });
    expect(going.needs).toEqual([]);
    expect(attentions(going.mine, held)).toEqual(['paused']);
  });

  it('are forgotten when they are over, cancelled, or somebody started the plan again', () => {
    expect(follow(mine, { uid: 'new', status: 'COMPLETE' }).mine).toEqual([]);
    expect(follow(mine, { uid: 'new', status: 'FATAL_ERROR', message: 'The run was cancelled.' }).mine).toEqual([]);
    const followed = follow(mine, { uid: 'new', status: 'IN_PROGRESS' }).mine;
    expect(follow(followed, { uid: 'other', status: 'FATAL_ERROR' })).toEqual({ mine: [], needs: [] });
    expect(follow(mine, undefined, NOW_MS + 8 * 24 * 3_600_000).mine).toEqual([]);
  });

  it('are fifty at most, and one for each plan of an Instance', () => {
    let runs: readonly MyRun[] = mine;
    for (let count = 0; count < 60; count++) runs = withMyRun(runs, { ...started, key: `shop/${count % 55}` });
    expect(runs).toHaveLength(50);
    expect(new Set(runs.map(({ key }) => key)).size).toBe(50);
  });

  it('are read from what the browser stored, whatever that is', () => {
    expect(parseMyRuns(JSON.stringify(mine))).toEqual(mine);
    expect(['', '{', '{}', '[1, null, {"key": "a"}]', null].map(parseMyRuns)).toEqual([[], [], [], [], []]);
  });
});
