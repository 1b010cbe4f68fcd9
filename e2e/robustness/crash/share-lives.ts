import type { CrashResult } from './crash-run';
import type { CrashPoint } from './writes';

export type LifeVerdict =
  | { readonly is: 'passed' }
  /** The write did not happen in any run that was tried. */
  | { readonly is: 'missed' }
  /** `together` are the points of the run that failed: the point alone, unless each point of the run passes alone. */
  | { readonly is: 'failed'; readonly problems: readonly string[]; readonly together: readonly CrashPoint[] };

type Play = (points: readonly CrashPoint[]) => Promise<Pick<CrashResult, 'problems' | 'reached' | 'tried'>>;

/** In how many runs a write may not happen before it is given up. */
const MOST_TRIES = 6;

/**
 * Tries every point, one after each action of a run: the stored objects after an action are the same as without the crash, and what
 * the controller knew died with it, so the next action starts as in a run of its own. The points of a run with another result
 * are tried again, each alone.
 */
export async function shareLives(
  points: readonly CrashPoint[],
  play: Play,
  judged: (point: CrashPoint, verdict: LifeVerdict) => void,
): Promise<void> {
  const waiting = new Set(points);
  const tries = new Map<CrashPoint, number>();
  const judge = (point: CrashPoint, verdict: LifeVerdict) => {
    waiting.delete(point);
    judged(point, verdict);
  };
  const settle = (point: CrashPoint, isReached: boolean) => {
    if (isReached) return judge(point, { is: 'passed' });
    const count = (tries.get(point) ?? 0) + 1;
    tries.set(point, count);
    if (count === MOST_TRIES) return judge(point, { is: 'missed' });
    // After all others.
    waiting.delete(point);
    waiting.add(point);
  };
  while (waiting.size > 0) {
    const together = oneOfEachAction(waiting);
    const { problems, tried, reached } = await play(together);
    // A run that broke off before its first action is one try of its first point.
    const done = tried.size > 0 ? [...tried] : together.slice(0, 1);
    if (problems.length === 0) {
      for (const point of done) settle(point, reached.has(point));
    } else if (done.length === 1) {
      for (const point of done) judge(point, { is: 'failed', problems, together: done });
    } else {
      const singles = await each(done, play);
      const isOfAll = singles.every((single) => single.problems.length === 0);
      for (const [index, { point, ...single }] of singles.entries()) {
        if (single.problems.length > 0) judge(point, { is: 'failed', problems: single.problems, together: [point] });
        else if (isOfAll && index === 0) judge(point, { is: 'failed', problems, together: done });
        else settle(point, single.reached.has(point));
      }
    }
  }
}

function oneOfEachAction(waiting: ReadonlySet<CrashPoint>): CrashPoint[] {
  const chosen = new Map<number, CrashPoint>();
  for (const point of waiting) if (!chosen.has(point.action)) chosen.set(point.action, point);
  return [...chosen.values()].sort((a, b) => a.action - b.action);
}

/** Each in a run of its own. */
async function each(points: readonly CrashPoint[], play: Play) {
  const singles = [];
  for (const point of points) singles.push({ point, ...(await play([point])) });
  return singles;
}
