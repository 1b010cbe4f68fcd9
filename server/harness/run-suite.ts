import { messageOf } from '@/lib/errors/errors';
import type { ReportedCase, ReportedDirectory, ReportedRun } from '@/lib/harness/report';
import type { TestDirectory } from './find-cases';
import { createHarnessLog, type Harness } from './harness';
import { prepareSuite } from './prepare-suite';
import { runCase, type TestCase } from './run-case';
import type { RunningProgram } from './run-command';

/**
 * Runs a suite: its preparation, then all cases, `parallel` at once. The log is like that of Go's tests.
 * @returns what a report says; a failed preparation is in it, and no case ran
 */
export async function runSuite(harness: Harness, directories: readonly TestDirectory[]): Promise<ReportedRun> {
  const { pace, suite } = harness;
  const startedMs = pace.clock.now();
  const running: RunningProgram[] = [];
  const log = createHarnessLog(harness, 'suite');
  const result = (setupFailure: string | undefined, reported: readonly ReportedDirectory[]): ReportedRun => ({
    name: suite.name,
    startedMs,
    endedMs: pace.clock.now(),
    directories: reported,
    setupFailure,
  });
  try {
    const leave = pace.enter();
    try {
      await prepareSuite(harness, log, running);
    } catch (error) {
      harness.signal.throwIfAborted();
      log.line(messageOf(error));
      return result(messageOf(error), []);
    } finally {
      leave();
    }
    const cases = await runAll(harness, directories);
    return result(
      undefined,
      directories.map(({ path, cases: wanted }) => ({
        path,
        startedMs,
        cases: wanted.flatMap((test) => cases.get(test) ?? []),
      })),
    );
  } finally {
    for (const program of running) program.kill();
    await Promise.all(running.map(({ ended }) => ended));
  }
}

async function runAll(
  harness: Harness,
  directories: readonly TestDirectory[],
): Promise<ReadonlyMap<TestCase, ReportedCase>> {
  const results = new Map<TestCase, ReportedCase>();
  const waiting = directories.flatMap(({ cases }) => cases);
  const worker = async (): Promise<void> => {
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      if (harness.signal.aborted) return;
      harness.print(`=== RUN   ${titleOf(test)}`);
      const one = await runCase(harness, test);
      results.set(test, one);
      const seconds = ((one.endedMs - one.startedMs) / 1_000).toFixed(2);
      harness.print(`--- ${isCaseFailed(one) ? 'FAIL' : 'PASS'}: ${titleOf(test)} (${seconds}s)`);
    }
  };
  // After an interrupt every case still removes what it made.
  const ends = await Promise.allSettled(Array.from({ length: harness.suite.parallel }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

function titleOf({ name }: TestCase): string {
  return `bravo/harness/${name}`;
}

export function isCaseFailed({ steps }: ReportedCase): boolean {
  return steps.some(({ failure }) => failure !== undefined);
}
