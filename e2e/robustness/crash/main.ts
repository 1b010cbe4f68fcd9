import { type Random, randomInteger, seededRandom } from '@/lib/random/random';
import { type FreezeReference, freezeOnce, makeFreezeReference, NEVER_CAME } from '../leaders/freeze-round';
import { startTwoControllers, type TwoControllers } from '../leaders/two-controllers';
import { crashEveryWrite } from './crash-every-write';
import { startCrashSetup } from './crash-setup';
import { killAtRandom } from './kill-at-random';
import { allSubjects, type Subject } from './subjects';

/**
 * Kills or suspends real controller processes. Each mode prints every difference from an undisturbed run, and
 * ends with `N passed, N failed`.
 *
 * - `npm run simulate -- --crash [--operator A,B] [--no-webhook] [--sample N] [--seed S] [--at '[ACTION] WRITE #N POINT + …']`:
 *   killed at every write of every operator, at three points;
 * - `npm run simulate -- --kills N [--operator A,B] [--seed S]`: killed N times at random times;
 * - `npm run simulate -- --freezes N [--seed S] [--lease SECONDS]`: of two controllers the leader is suspended past its lease and resumed,
 *   N times. The lease of 2 s needs a machine that runs a controller every second.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const option = (name: string) => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? undefined : argv[at + 1];
  };
  const only = option('operator')?.split(',');
  const subjects = allSubjects().filter(({ name }) => only === undefined || only.includes(name));
  const startedMs = performance.now();
  const seed = option('seed') ?? '1';
  const total = argv.includes('--freezes')
    ? await freezes(Number(option('freezes') ?? 100), seed, Number(option('lease') ?? LEASE_SECONDS))
    : argv.includes('--kills')
      ? await kills(Number(option('kills') ?? 200), subjects, seed)
      : await crashEveryWrite(subjects, {
          sample: option('sample'),
          at: option('at'),
          seed,
          webhook: !argv.includes('--no-webhook'),
        });
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

async function kills(count: number, subjects: readonly Subject[], seed: string) {
  const setup = await startCrashSetup();
  const total = { passed: 0, failed: 0 };
  try {
    await setup.controllers.startWhole();
    const random = seededRandom(`kills ${seed}`);
    const onRound = ({ name }: Subject, problems: readonly string[]) => {
      total[problems.length === 0 ? 'passed' : 'failed'] += 1;
      for (const problem of problems.slice(0, 12)) console.log(`FAIL ${name}: ${problem}`);
      sayHowFar(total);
    };
    const result = await killAtRandom(setup, subjects, { kills: count, random, onRound });
    console.log(`${result.kills} kills in the lives of ${subjects.length} operators`);
  } finally {
    await setup.stop();
  }
  return total;
}

const LEASE_SECONDS = 2;
const MOST_DRAWS = 5;
const FROZEN = ['several', 'again', 'toggle'];

async function freezes(count: number, seed: string, leaseSeconds: number) {
  const setup = await startTwoControllers(leaseSeconds);
  const total = { passed: 0, failed: 0 };
  const random = seededRandom(`freezes ${seed}`);
  try {
    const subjects = allSubjects().filter(({ name }) => FROZEN.includes(name));
    for (const [index, subject] of subjects.entries()) {
      const reference = await makeFreezeReference(setup, subject);
      const share = Math.floor(count / subjects.length) + (index < count % subjects.length ? 1 : 0);
      for (let round = 0; round < share; round++) {
        const { atWrite, problems } = await freezeByChance(setup, subject, reference, random);
        total[problems.length === 0 ? 'passed' : 'failed'] += 1;
        for (const problem of problems) console.log(`FAIL ${subject.name}, frozen at write ${atWrite}: ${problem}`);
        sayHowFar(total);
      }
    }
  } finally {
    await setup.stop();
  }
  return total;
}

/** A run may have one write less than the reference: then another write is drawn. */
async function freezeByChance(setup: TwoControllers, subject: Subject, reference: FreezeReference, random: Random) {
  for (let draws = 1; ; draws++) {
    const atWrite = 1 + randomInteger(random, reference.writes);
    const problems = await freezeOnce(setup, subject, reference, { isAt: (_, nth) => nth === atWrite });
    if (draws === MOST_DRAWS || !problems.includes(NEVER_CAME)) return { atWrite, problems };
  }
}

function sayHowFar({ passed, failed }: { passed: number; failed: number }): void {
  if ((passed + failed) % 10 === 0) console.log(`${passed + failed} rounds so far, ${failed} failed`);
}
