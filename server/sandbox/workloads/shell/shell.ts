import { limits } from '@/lib/limits/limits';
import { invoke, runList } from './language/interpreter';
import { type Output, OverLimit, print, type Streams } from './language/io';
import { Interrupted, type Steps } from './language/process';
import { ExitSignal, JumpSignal, type ShellHost, type ShellProgram, ShellSession } from './language/session';
import { SyntaxProblem } from './language/syntax';
import { archivePrograms } from './programs/archive';
import { builtins } from './programs/builtins';
import { checksumPrograms } from './programs/checksums';
import { filePrograms } from './programs/files';
import { searchPrograms } from './programs/search';
import { simulatedPrograms } from './programs/simulated';
import { systemPrograms } from './programs/system';
import { textPrograms } from './programs/text';

/** Every program that the sandbox really runs. */
export const programs: ReadonlyMap<string, ShellProgram> = new Map(
  Object.entries({
    ...textPrograms,
    ...searchPrograms,
    ...filePrograms,
    ...systemPrograms,
    ...archivePrograms,
    ...checksumPrograms,
    ...simulatedPrograms,
    ...builtins,
  }),
);

export interface RunRequest extends Omit<ShellHost, 'programs' | 'runList'> {
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
  readonly streams: Streams;
}

/** Runs a command to its end; the exit code is the result. The streams get what it prints. */
export function* runProgram(request: RunRequest): Steps<number> {
  const { argv, env, cwd } = request;
  const streams = bounded(request.streams);
  const session = new ShellSession({ ...request, programs, runList }, streams);
  for (const [name, value] of env) session.export(name, value);
  session.cwd = session.path(cwd);
  try {
    return yield* invoke({ argv, streams, session });
  } catch (signal) {
    if (signal instanceof ExitSignal) return signal.exitCode;
    if (signal instanceof JumpSignal) return 0;
    if (signal instanceof Interrupted) return 130;
    if (signal instanceof OverLimit) return yield* overLimit(signal.message, request);
    // A script that calls itself too deeply overflows our stack, as it would a real shell's.
    if (signal instanceof RangeError) return yield* overLimit('nested too deeply', request);
    if (!(signal instanceof SyntaxProblem)) throw signal;
    print(streams.stderr, `${argv[0] ?? 'sh'}: ${signal.message}\n`);
    return 2;
  }
}

/** Counts what a process prints, on both outputs together. */
function bounded(streams: Streams): Streams {
  let left = limits.shellOutputBytes;
  const count = (output: Output): Output => ({
    write(bytes) {
      left -= bytes.length;
      if (left < 0) throw new OverLimit('output too large');
      output.write(bytes);
    },
  });
  return { ...streams, stdout: count(streams.stdout), stderr: count(streams.stderr) };
}

/** A main process that spins without sleeping counts as a server; an exec is killed. */
function* overLimit(problem: string, { role, streams }: RunRequest): Steps<number> {
  if (role === 'main' && problem === 'too many steps') yield { kind: 'forever' };
  print(streams.stderr, `Killed: ${problem}\n`);
  return 137;
}
