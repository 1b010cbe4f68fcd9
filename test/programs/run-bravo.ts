import { vi } from 'vitest';
import { main } from '@/cli/main';

/** What a command wrote and how it ended. */
export interface BravoOutcome {
  readonly out: string;
  readonly err: string;
  readonly code: number | string | undefined;
}

/** Runs the command line inside the test's process. */
export async function runBravo(...words: string[]): Promise<BravoOutcome> {
  let out = '';
  let err = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await main(words);
    return { out, err, code: process.exitCode };
  } finally {
    process.exitCode = before;
    stdout.mockRestore();
    stderr.mockRestore();
  }
}
