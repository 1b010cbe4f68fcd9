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
  const open = new OpenPoints(points, judged);
  while (open.waiting.size > 0) {
    const together = oneOfEachAction(open.waiting);
    const { problems, tried, reached } = await play(together);
    // A run that broke off before its first action is one try of its first point.
    const done = tried.size > 0 ? [...tried] : together.slice(0, 1);
    if (problems.length === 0) {
      for (const point of done) open.settle(point, reached.has(point));
    } else if (done.length === 1) {
      for (const point of done) open.judge(point, { is: 'failed', problems, together: done });
    } else judgeEach(open, await each(done, play), problems);
  }
}

/** The points without a verdict, in the order in which they are tried. */
class OpenPoints {
  readonly waiting: Set<CrashPoint>;
  private readonly tries = new Map<CrashPoint, number>();

  constructor(
    points: readonly CrashPoint[],
    private readonly judged: (point: CrashPoint, verdict: LifeVerdict) => void,
  ) {
    this.waiting = new Set(points);
  }

  judge(point: CrashPoint, verdict: LifeVerdict): void {
    this.waiting.delete(point);
    this.judged(point, verdict);
  }

  /** After a run without problems. */
  settle(point: CrashPoint, isReached: boolean): void {
    const count = (this.tries.get(point) ?? 0) + 1;
    this.tries.set(point, count);
    if (isReached) this.judge(point, { is: 'passed' });
    else if (count === MOST_TRIES) this.judge(point, { is: 'missed' });
    else {
      // After all others.
      this.waiting.delete(point);
      this.waiting.add(point);
    }
  }
}

/** Judges the points of a run with `problems` after each was tried alone. */
function judgeEach(open: OpenPoints, singles: Awaited<ReturnType<typeof each>>, problems: readonly string[]): void {
  const isOfAll = singles.every((single) => single.problems.length === 0);
  const together = singles.map(({ point }) => point);
  for (const [index, { point, ...single }] of singles.entries()) {
    if (single.problems.length > 0) open.judge(point, { is: 'failed', problems: single.problems, together: [point] });
    else if (isOfAll && index === 0) open.judge(point, { is: 'failed', problems, together });
    else open.settle(point, single.reached.has(point));
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
