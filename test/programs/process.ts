import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../server/runtime/root';

export { projectRoot };

/** A program under test. */
export interface Running {
  readonly child: ChildProcess;
  /** Everything it printed so far, both streams. */
  output(): string;
  /** Resolves with the output when the text was printed; rejects when the program ends before. */
  printed(text: string, withinMs?: number): Promise<string>;
  /** Resolves with the exit code and the time that it took from the call. */
  exited(): Promise<{ code: number | null; afterMs: number }>;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<{ code: number | null; afterMs: number }>;
}

const STARTED = new Set<ChildProcess>();

/** Starts a Node program of the project with an environment of its own: the caller's KUBECONFIG does not leak in. */
export function startNode(args: readonly string[], environment: { readonly [name: string]: string } = {}): Running {
  return startProgram(process.execPath, args, environment);
}

/** The same for any program. */
export function startProgram(
  program: string,
  args: readonly string[],
  environment: { readonly [name: string]: string } = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): Running {
  const { KUBECONFIG: _, ...inherited } = process.env;
  const child = spawn(program, [...args], {
    cwd: projectRoot,
    stdio: [stdin, 'pipe', 'pipe'],
    // Tests run beside each other: each program that serves metrics names a port of its own.
    env: { ...inherited, NODE_ENV: 'production', BRAVO_METRICS_PORT: 'off', ...environment },
  });
  STARTED.add(child);
  let text = '';
  const listeners = new Set<() => void>();
  const take = (chunk: Buffer) => {
    text += chunk.toString('utf8');
    for (const listener of [...listeners]) listener();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  let exitCode: number | null | undefined;
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      exitCode = code;
      STARTED.delete(child);
      resolve(code);
    }),
  );
  const exited = async () => {
    const startedMs = performance.now();
    const code = await ended;
    return { code, afterMs: performance.now() - startedMs };
  };
  return {
    child,
    output: () => text,
    exited,
    stop() {
      child.kill('SIGTERM');
      return exited();
    },
    printed: (wanted, withinMs = 60_000) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`"${wanted}" was not printed: ${why}\n${text}`));
        // Seconds in which this process ran: a machine that stops for minutes says nothing about the program.
        let seconds = Math.ceil(withinMs / 1_000);
        const timer = setInterval(() => {
          seconds -= 1;
          if (seconds > 0) return;
          listeners.delete(check);
          clearInterval(timer);
          fail(`nothing within ${withinMs} ms`);
        }, 1_000);
        const check = () => {
          if (!text.includes(wanted) && exitCode === undefined) return;
          clearInterval(timer);
          listeners.delete(check);
          if (text.includes(wanted)) resolve(text);
          else fail(`the program ended with ${exitCode}`);
        };
        listeners.add(check);
        ended.then(check);
        check();
      }),
  };
}

/** Kills the programs that a failed test left running. */
export async function stopAll(): Promise<void> {
  await Promise.all(
    [...STARTED].map((child) => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      return ended;
    }),
  );
}

const FOLDERS = new Set<string>();

/** A new folder. It is removed when this process ends; `npm test` removes the folders of its worker processes. */
export function temporaryFolder(name: string): string {
  if (FOLDERS.size === 0) process.once('exit', removeFolders);
  const folder = mkdtempSync(join(tmpdir(), `bravo-${name}-`));
  FOLDERS.add(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of FOLDERS) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A process that is still ending may write in it, which must not change the outcome of the run.
    }
  }
}

/** A port on which no program listens now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
