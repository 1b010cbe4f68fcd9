import { randomInteger, seededRandom } from '@/lib/random/random';
import { type CrashResult, crashAt, crashPoints, makeReference } from './crash-run';
import { startCrashWorld } from './crash-world';
import type { Subject } from './subjects';
import { describeCrash } from './writes';

interface Total {
  passed: number;
  failed: number;
  missed: number;
}

const SAY_AFTER = 50;

/** Goes through every write of every subject, or a sample of them, and prints a line for each subject. */
export async function crashEveryWrite(
  subjects: readonly Subject[],
  options: { sample: string | undefined; at: string | undefined; seed: string },
): Promise<Total> {
  const random = seededRandom(`crash ${options.seed}`);
  const world = await startCrashWorld();
  const total: Total = { passed: 0, failed: 0, missed: 0 };
  try {
    await world.controllers.start();
    for (const subject of subjects) {
      const reference = await makeReference(world, subject);
      let points = crashPoints(reference).filter(
        (each) => options.at === undefined || describeCrash(each) === options.at,
      );
      if (options.sample !== undefined) {
        const drawn = Array.from(
          { length: Number(options.sample) },
          () => points[randomInteger(random, points.length)],
        );
        points = drawn.flatMap((each) => each ?? []);
      }
      const begunMs = performance.now();
      const before = { ...total };
      for (const [index, point] of points.entries()) {
        if (index > 0 && index % SAY_AFTER === 0) console.log(`${subject.name}: ${index} of ${points.length}`);
        count(total, await crashAt(world, reference, point), { operator: subject.name, crash: describeCrash(point) });
      }
      const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
      console.log(
        `${subject.name}: ${reference.writes.length} writes, ${points.length} crashes, ${total.failed - before.failed} failed, ${total.missed - before.missed} not reached, ${seconds} s`,
      );
    }
  } finally {
    await world.stop();
  }
  console.log(`${total.missed} crashes not reached`);
  return total;
}

function count(total: Total, result: CrashResult, { operator, crash }: { operator: string; crash: string }): void {
  if (result.problems.length > 0) {
    total.failed += 1;
    console.log(`FAIL ${operator}: ${crash}`);
    for (const problem of result.problems.slice(0, 12)) console.log(`  ${problem}`);
    console.log(`  replay: npm run simulate -- --crash --operator ${operator} --at '${crash}'`);
  } else if (result.crashed) {
    total.passed += 1;
  } else {
    total.missed += 1;
    console.log(`${operator}: not reached: ${crash}`);
  }
}
