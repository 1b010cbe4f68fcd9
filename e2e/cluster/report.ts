import { messageOf } from '@/lib/errors/errors';

/** Thrown by a check that cannot be made here; its message says why. */
export class Skipped extends Error {}

/** What was checked, line by line, and how it ended. */
export class Report {
  private readonly counts = { passed: 0, failed: 0, skipped: 0 };

  /** Runs one check. A failure is printed and counted, and the next check runs; true when it passed. */
  async check(title: string, run: () => Promise<unknown>): Promise<boolean> {
    const startedMs = performance.now();
    const took = () => `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`;
    try {
      const said = await run();
      this.counts.passed += 1;
      print(`✅ ${title}${typeof said === 'string' ? `: ${said}` : ''} (${took()})`);
      return true;
    } catch (error) {
      if (error instanceof Skipped) {
        this.counts.skipped += 1;
        print(`➖ ${title}: skipped, ${error.message}`);
        return false;
      }
      this.counts.failed += 1;
      print(`❌ ${title} (${took()}): ${messageOf(error)}`);
      return false;
    }
  }

  /** The last line. @returns the exit code */
  end(): number {
    const { passed, failed, skipped } = this.counts;
    print(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 ? 0 : 1;
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
