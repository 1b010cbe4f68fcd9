import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The console of one worker of the browser tests. */
export interface WorkerConsole {
  readonly port: number;
  readonly sandboxPort: number;
  /** Its data folder, with the sandbox's kubeconfig in it. */
  readonly folder: string;
}

/** A console that runs already is used instead of fresh ones; for writing tests. */
export const runningConsole = process.env.BRAVO_E2E_BASE;

/** How many workers run, each with a console of its own. One that runs already has one worker. */
export const workerCount = runningConsole === undefined ? Number(process.env.BRAVO_E2E_WORKERS || 2) : 1;

/** Every worker evaluates this file too: the folder is made once and handed on. */
process.env.BRAVO_E2E_DATA ??= mkdtempSync(join(tmpdir(), 'bravo-e2e-'));
const folder = process.env.BRAVO_E2E_DATA;

/** @param index from 0; in a worker its own, which a worker that replaces it after a failure has too */
export function workerConsole(index = Number(process.env.TEST_PARALLEL_INDEX ?? 0)): WorkerConsole {
  return {
    port: 3117 + index,
    sandboxPort: 6457 + index,
    folder: runningConsole === undefined ? join(folder, `console-${index}`) : folder,
  };
}
