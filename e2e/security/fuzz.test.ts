import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundleScript } from '../../scripts/bundle-script.mjs';
import type { FuzzOutcome } from '../../test/fuzz/fuzz-target';

const MIB = 1024 * 1024;
/** With the young generation and what loading the modules takes, the process ends with an error long before 64 MiB more. */
const FLAGS = ['--expose-gc', '--max-old-space-size=48', '--max-semi-space-size=4'];

/** `BRAVO_FUZZ=20` makes twenty times as many cases, `BRAVO_FUZZ_SEED=…` others (`test/fuzz`). */
async function fuzz(group: string): Promise<FuzzOutcome> {
  const file = await bundleScript('test/fuzz/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, file, group], { maxBuffer: 4 * MIB });
  return JSON.parse(stdout) as FuzzOutcome;
}

describe('what comes from outside, changed at random', () => {
  it.each([
    ['archives', 10_000],
    ['charts', 10_000],
    ['indexes', 20_000],
  ])(
    '%s: %i of them are read or refused with a declared error, within 64 MiB',
    { timeout: 600_000 },
    async (group, least) => {
      const { cases, refused, failures, peakUsedBytes, grownBytes, ms } = await fuzz(group);
      expect(failures).toEqual([]);
      expect(cases).toBeGreaterThanOrEqual(least);
      // Most are refused, and some are not: the cases reach what is behind the first check.
      expect(refused).toBeGreaterThan(cases / 2);
      expect(cases - refused).toBeGreaterThan(cases / 50);
      expect(peakUsedBytes / MIB, JSON.stringify(ms)).toBeLessThan(64);
      // The process itself has garbage, compiled code and freed pages besides: on a busy machine, 55 to 72 MiB in all were measured.
      expect(grownBytes / MIB, JSON.stringify(ms)).toBeLessThan(96);
    },
  );
});
