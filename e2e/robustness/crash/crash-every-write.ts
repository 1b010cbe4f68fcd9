import { randomInteger, seededRandom } from '@/lib/random/random';
import { type CrashReference, type CrashResult, crashAt, crashPoints, makeReference } from './crash-run';
import { type CrashSetup, startCrashSetup } from './crash-setup';
import { type LifeVerdict, shareLives } from './share-lives';
import type { Subject } from './subjects';
import { type CrashPoint, describeCrash } from './writes';

export interface CrashOptions {
  /** This many random points instead of all. */
  readonly sample: string | undefined;
  /** Only these points of one life, described and joined by ` + `. */
  readonly at: string | undefined;
  readonly seed: string;
  /** No admission webhook, as in a cluster that cannot reach the controller. */
  readonly webhook: boolean;
}

interface Total {
  passed: number;
  failed: number;
  missed: number;
}

const SAY_AFTER = 50;
const AND = ' + ';

/** Kills the controller at every write of every subject, or at a sample of them, and prints a line for each subject. */
export async function crashEveryWrite(subjects: readonly Subject[], options: CrashOptions): Promise<Total> {
  const setup = await startCrashSetup({ webhook: options.webhook });
  const total: Total = { passed: 0, failed: 0, missed: 0 };
  try {
    await setup.controllers.startWhole();
    for (const subject of subjects) {
      const sum = await crashSubject(setup, subject, options);
      for (const is of ['passed', 'failed', 'missed'] as const) total[is] += sum[is];
    }
  } finally {
    await setup.stop();
  }
  console.log(`${total.missed} crashes not reached`);
  return total;
}

async function crashSubject(setup: CrashSetup, subject: Subject, options: CrashOptions): Promise<Total> {
  const reference = await makeReference(setup, subject);
  const points = chosenPoints(reference, options);
  const sum: Total = { passed: 0, failed: 0, missed: 0 };
  const begunMs = performance.now();
  let lives = 0;
  const play = (together: readonly CrashPoint[]) => {
    lives += 1;
    return crashAt(setup, reference, together);
  };
  const judged = (point: CrashPoint, verdict: LifeVerdict) => {
    sum[verdict.is] += 1;
    say(subject.name, point, verdict);
    const done = sum.passed + sum.failed + sum.missed;
    if (done % SAY_AFTER === 0) console.log(`${subject.name}: ${done} of ${points.length}`);
  };
  if (options.at !== undefined) await play(points).then((result) => judgeAll(points, result, judged));
  else await shareLives(points, play, judged);
  const writes = reference.writes.flat().length;
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(0);
  console.log(
    `${subject.name}: ${writes} writes, ${points.length} crashes in ${lives} lives, ${sum.failed} failed, ${sum.missed} not reached, ${seconds} s`,
  );
  return sum;
}

function chosenPoints(reference: CrashReference, { sample, at, seed }: CrashOptions): CrashPoint[] {
  const points = crashPoints(reference);
  if (at !== undefined) {
    const wanted = at.split(AND);
    return points.filter((point) => wanted.includes(describeCrash(point)));
  }
  if (sample === undefined) return points;
  const random = seededRandom(`crash ${seed}`);
  const drawn = Array.from({ length: Number(sample) }, () => points[randomInteger(random, points.length)]);
  return [...new Set(drawn.flatMap((point) => point ?? []))];
}

function judgeAll(
  points: readonly CrashPoint[],
  { problems, reached }: CrashResult,
  judged: (point: CrashPoint, verdict: LifeVerdict) => void,
): void {
  for (const [index, point] of points.entries()) {
    if (problems.length > 0 && index === 0) judged(point, { is: 'failed', problems, together: points });
    else judged(point, { is: reached.has(point) ? 'passed' : 'missed' });
  }
}

function say(operator: string, point: CrashPoint, verdict: LifeVerdict): void {
  if (verdict.is === 'missed') console.log(`${operator}: not reached: ${describeCrash(point)}`);
  if (verdict.is !== 'failed') return;
  const crash = verdict.together.map(describeCrash).join(AND);
  console.log(`FAIL ${operator}: ${crash}`);
  for (const problem of verdict.problems.slice(0, 12)) console.log(`  ${problem}`);
  console.log(`  replay: npm run simulate -- --crash --operator ${operator} --at '${crash}'`);
}
