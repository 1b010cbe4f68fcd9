import { spawn } from 'node:child_process';

/** What a command wrote and how it ended. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end; never rejects for an exit code. */
export function runTool(
  program: string,
  args: readonly string[],
  options: { readonly input?: string; readonly env?: { readonly [name: string]: string } } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    });
    let out = '';
    let err = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString('utf8');
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? (signal === null ? 1 : 137), out, err }));
    child.stdin?.once('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

/** The same; rejects with what the program wrote to standard error when its exit code is not 0. */
export async function requireTool(
  program: string,
  args: readonly string[],
  options: { readonly input?: string; readonly env?: { readonly [name: string]: string } } = {},
): Promise<string> {
  const { code, out, err } = await runTool(program, args, options);
  if (code === 0) return out;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${(err.trim() || out.trim()).slice(-2_000)}`);
}

/** Waits; ends early, without an error, with the signal. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done, { once: true });
  });
}
