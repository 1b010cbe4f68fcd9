import { randomInteger, seededRandom } from '@/lib/random/random';
import { type CrashResult, crashAt, crashPoints, makeReference } from './crash-run';
import { startCrashWorld } from './crash-world';
import { allSubjects } from './subjects';
import { describeCrash } from './writes';

/**
 * `npm run simulate -- --crash [--operator NAME] [--sample N] [--seed S] [--at 'WRITE #N POINT']`: kills a real controller process at
 * every write of every operator's life, at three points, and compares the end with a run without a crash. Prints each difference
 * with the command that replays it, and ends with `N passed, N failed`.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const option = (name: string) => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? undefined : argv[at + 1];
  };
  const only = option('operator')?.split(',');
  const sample = option('sample');
  const random = seededRandom(`crash ${option('seed') ?? '1'}`);
  const world = await startCrashWorld();
  const total = { passed: 0, failed: 0, missed: 0 };
  const startedMs = performance.now();
  try {
    await world.controllers.start();
    for (const subject of allSubjects()) {
      if (only !== undefined && !only.includes(subject.name)) continue;
      const reference = await makeReference(world, subject);
      let points = crashPoints(reference).filter(
        (each) => option('at') === undefined || describeCrash(each) === option('at'),
      );
      if (sample !== undefined) {
        points = Array.from({ length: Number(sample) }, () => points[randomInteger(random, points.length)]).flatMap(
          (each) => each ?? [],
        );
      }
      const begunMs = performance.now();
      const before = { ...total };
      for (const point of points)
        count(total, await crashAt(world, reference, point), `${subject.name}: ${describeCrash(point)}`, subject.name);
      const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
      console.log(
        `${subject.name}: ${reference.writes.length} writes, ${points.length} crashes, ${total.failed - before.failed} failed, ${total.missed - before.missed} not reached, ${seconds} s`,
      );
    }
  } finally {
    await world.stop();
  }
  console.log(`${total.missed} crashes not reached; ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

function count(
  total: { passed: number; failed: number; missed: number },
  result: CrashResult,
  name: string,
  operator: string,
): void {
  if (result.problems.length > 0) {
    total.failed += 1;
    console.log(`FAIL ${name}`);
    for (const problem of result.problems.slice(0, 12)) console.log(`  ${problem}`);
    console.log(
      `  replay: npm run simulate -- --crash --operator ${operator} --at '${name.slice(operator.length + 2)}'`,
    );
  } else if (result.crashed) total.passed += 1;
  else total.missed += 1;
}
