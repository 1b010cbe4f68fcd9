import { freePort, type Running, startNode, temporaryFolder } from './process';

/** A console that was started for a measurement or a test, with a sandbox of its own. */
export interface ConsoleProcess {
  readonly base: string;
  readonly running: Running;
  readonly startedAfterMs: number;
  readonly settings: { readonly [name: string]: string };
}

/** Starts `npm start`'s program on free ports and waits for the ready line; longer where it has to build pages first. */
export async function startConsoleProcess(
  more: { readonly [name: string]: string } = {},
  readyWithinMs = 180_000,
): Promise<ConsoleProcess> {
  const settings = {
    PORT: String(await freePort()),
    BRAVO_SANDBOX_PORT: String(await freePort()),
    BRAVO_DATA: temporaryFolder('console'),
    BRAVO_POD_DELAY: '0',
    ...more,
  };
  const startedMs = performance.now();
  const running = startNode(['scripts/start.mjs'], settings);
  await running.printed('Bravo is ready', readyWithinMs);
  return {
    base: `http://127.0.0.1:${settings.PORT}`,
    running,
    startedAfterMs: performance.now() - startedMs,
    settings,
  };
}
