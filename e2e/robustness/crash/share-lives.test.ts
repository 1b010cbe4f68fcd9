import { describe, expect, it } from 'vitest';
import { type LifeVerdict, shareLives } from './share-lives';
import { type CrashPoint, describeCrash } from './writes';

const at = (action: number, nth: number): CrashPoint => ({ action, write: 'PUT a', nth, point: 'lost' });

/** A stand-in for a run: it fails when `fails` says so of its points, and reaches what `reaches` says. */
function lives(options: {
  fails?: (points: readonly CrashPoint[]) => boolean;
  reaches?: (point: CrashPoint, life: number) => boolean;
  begins?: (points: readonly CrashPoint[]) => readonly CrashPoint[];
}) {
  const played: string[][] = [];
  const verdicts = new Map<string, LifeVerdict>();
  const judgedTwice: string[] = [];
  const play = async (points: readonly CrashPoint[]) => {
    played.push(points.map(name));
    const tried = new Set(options.begins?.(points) ?? points);
    const reached = new Set([...tried].filter((point) => options.reaches?.(point, played.length) ?? true));
    return { tried, reached, problems: options.fails?.(points) === true ? ['differs'] : [] };
  };
  const judged = (point: CrashPoint, verdict: LifeVerdict) => {
    if (verdicts.has(name(point))) judgedTwice.push(name(point));
    verdicts.set(name(point), verdict);
  };
  return { played, verdicts, judgedTwice, run: (points: readonly CrashPoint[]) => shareLives(points, play, judged) };
}

const name = ({ action, nth }: CrashPoint) => `${action}.${nth}`;

describe('runs that several crashes share', () => {
  it('a run has one crash after each action, and every point is tried', async () => {
    const { run, played, verdicts } = lives({});
    await run([at(0, 1), at(0, 2), at(0, 3), at(2, 1), at(2, 2)]);
    expect(played).toEqual([['0.1', '2.1'], ['0.2', '2.2'], ['0.3']]);
    expect([...verdicts.values()].map((verdict) => verdict.is)).toEqual(Array(5).fill('passed'));
  });

  it('the points of a failed run are tried alone, and only the one that fails is reported', async () => {
    const { run, played, verdicts, judgedTwice } = lives({
      fails: (points) => points.some(({ action }) => action === 1),
    });
    await run([at(0, 1), at(1, 1), at(2, 1)]);
    expect(played).toEqual([['0.1', '1.1', '2.1'], ['0.1'], ['1.1'], ['2.1']]);
    expect(verdicts.get('1.1')).toEqual({ is: 'failed', problems: ['differs'], together: [at(1, 1)] });
    expect([verdicts.get('0.1')?.is, verdicts.get('2.1')?.is]).toEqual(['passed', 'passed']);
    expect(judgedTwice).toEqual([]);
  });

  it('points that fail only together are one failure, reported with all of them', async () => {
    const { run, verdicts, judgedTwice } = lives({ fails: (points) => points.length > 1 });
    await run([at(0, 1), at(1, 1)]);
    expect(verdicts.get('0.1')).toEqual({ is: 'failed', problems: ['differs'], together: [at(0, 1), at(1, 1)] });
    expect(verdicts.get('1.1')).toEqual({ is: 'passed' });
    expect(judgedTwice).toEqual([]);
  });

  it('a point whose action did not come is tried in another run', async () => {
    // The crash of the first action waits for the first request of the second.
    const { run, played, verdicts } = lives({ begins: (points) => points.slice(0, 1) });
    await run([at(0, 1), at(1, 1)]);
    expect(played).toEqual([['0.1', '1.1'], ['1.1']]);
    expect(verdicts.get('1.1')?.is).toBe('passed');
  });

  it('a write that does not happen is tried again, and given up after six runs', async () => {
    const late = lives({ reaches: (_, life) => life === 3 });
    await late.run([at(0, 1)]);
    expect(late.played).toHaveLength(3);
    expect(late.verdicts.get('0.1')).toEqual({ is: 'passed' });
    const never = lives({ reaches: () => false });
    await never.run([at(0, 1)]);
    expect(never.played).toHaveLength(6);
    expect(never.verdicts.get('0.1')).toEqual({ is: 'missed' });
  });

  it('a run that breaks off before its first action ends as well', async () => {
    const { run, played, verdicts } = lives({ begins: () => [], fails: () => true });
    await run([at(0, 1), at(1, 1)]);
    expect(played).toHaveLength(2);
    expect([...verdicts.values()].map((verdict) => verdict.is)).toEqual(['failed', 'failed']);
  });

  it('a crash is named by its action, its write and its place', () => {
    expect(describeCrash(at(1, 2))).toBe('[2] PUT a #2 lost');
  });
});
