import { spawn } from 'node:child_process';
import { messageOf } from '@/lib/errors/errors';
import type { CommandEnvironment, CommandProgram } from '@/lib/harness/command';
import { limits } from '@/lib/limits/limits';
import type { Pace } from './pace';

export interface ProgramOptions {
  readonly folder: string;
  readonly environment: CommandEnvironment;
  /** 0: none. */
  readonly timeoutMs: number;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** Takes each line of both streams; absent: they are discarded. */
  readonly onLine: ((line: string) => void) | undefined;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly is: 'exited'; readonly code: number }
  | { readonly is: 'not-started'; readonly why: string }
  | { readonly is: 'timeout' };

/** A program that runs. */
export interface RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  /** Kills it and what it started. */
  kill(): void;
}

/** Starts a program in a process group of its own, so that all of it can be killed. */
export function startProgram(call: CommandProgram, options: ProgramOptions): RunningProgram {
  const { pace, signal, onLine } = options;
  const release = pace.hold();
  const child = spawn(call.program, [...call.args], {
    cwd: options.folder,
    env: { ...options.environment } as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isTimeout = false;
  const kill = () => killGroup(child.pid);
  const timer =
    options.timeoutMs > 0
      ? pace.clock.after(options.timeoutMs, () => {
          isTimeout = true;
          kill();
        })
      : undefined;
  signal.addEventListener('abort', kill, { once: true });
  const lines = new LineLimit(onLine);
  const output = [child.stdout, child.stderr].map((stream) => lines.read(stream));
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('error', (error) => resolve({ is: 'not-started', why: startProblem(call.program, error) }));
    child.once('close', (code) => {
      for (const one of output) one.end();
      resolve(isTimeout ? { is: 'timeout' } : { is: 'exited', code: code ?? -1 });
    });
  }).finally(() => {
    timer?.cancel();
    signal.removeEventListener('abort', kill);
    release();
  });
  return { ended, kill };
}

function startProblem(program: string, error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? `exec: "${program}": executable file not found in $PATH` : messageOf(error);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Splits output into lines, up to a limit in all. */
class LineLimit {
  private left: number = limits.harness.outputBytes;

  constructor(private readonly onLine: ((line: string) => void) | undefined) {}

  read(stream: NodeJS.ReadableStream): { end(): void } {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      if (this.onLine === undefined || this.left <= 0) return;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.take(line);
      // A line without an end does not grow without a limit.
      if (rest.length > limits.harness.lineChars) {
        this.take(rest);
        rest = '';
      }
    });
    return {
      end: () => {
        if (rest !== '') this.take(rest);
        rest = '';
      },
    };
  }

  private take(line: string): void {
    if (this.left <= 0) return;
    this.left -= line.length + 1;
    this.onLine?.(this.left > 0 ? line : `[… more than ${limits.harness.outputBytes} bytes of output]`);
  }
}
