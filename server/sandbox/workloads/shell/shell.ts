import type { Clock } from '@/lib/clock/clock';
import { limits } from '@/lib/limits/limits';
import { invoke, runList } from './language/interpreter';
import { type Output, OverLimit, print, type Streams } from './language/io';
import type { MountedFiles } from './language/mounted-files';
import type { Steps } from './language/process';
import {
  ExitSignal,
  JumpSignal,
  type ProgramCall,
  type ShellLimits,
  type ShellProgram,
  ShellSession,
} from './language/session';
import { SyntaxProblem } from './language/syntax';
import { archivePrograms } from './programs/archive';
import { builtins } from './programs/builtins';
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
    ...simulatedPrograms,
    ...builtins,
  }),
);

const shellLimits: ShellLimits = {
  steps: limits.shellSteps,
  outputBytes: limits.shellOutputBytes,
  fileBytes: limits.shellFileBytes,
  textChars: limits.shellTextChars,
  words: limits.shellWords,
};

export interface RunRequest {
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
  readonly files: MountedFiles;
  readonly streams: Streams;
  readonly clock: Clock;
  readonly hostname: string;
  readonly ip: string;
  /** Runs an unknown program; without it the status is 127. */
  readonly unknown?: ShellProgram | undefined;
  /** See {@link ShellSession}: a main process that spins without sleeping also counts as a server, an exec is killed. */
  readonly role: 'main' | 'exec';
  /** Called for every call of a simulated program. */
  readonly onSimulated?: ((argv: readonly string[]) => void) | undefined;
}

/** Runs a command to its end; the exit code is the result. The streams get what it prints. */
export function* runProgram(request: RunRequest): Steps<number> {
  const { argv, env, files, clock, role, hostname, ip, unknown = notFound, onSimulated = () => {} } = request;
  const streams = bounded(request.streams);
  const host = { files, clock, role, hostname, ip, unknown, limits: shellLimits, runList };
  const session = new ShellSession({ ...host, programs: reporting(onSimulated) }, streams);
  for (const [name, value] of env) session.export(name, value);
  session.cwd = session.path(request.cwd);
  try {
    return yield* invoke({ argv, streams, session });
  } catch (signal) {
    if (signal instanceof ExitSignal) return signal.exitCode;
    if (signal instanceof JumpSignal) return 0;
    if (signal instanceof OverLimit) return yield* overLimit(signal.message, request);
    // A script that calls itself too deeply overflows our stack, as it would a real shell's.
    if (signal instanceof RangeError) return yield* overLimit('nested too deeply', request);
    if (!(signal instanceof SyntaxProblem)) throw signal;
    print(streams.stderr, `${argv[0] ?? 'sh'}: ${signal.message}\n`);
    return 2;
  }
}

/** The programs; every call of a simulated one is reported first. */
function reporting(onSimulated: (argv: readonly string[]) => void): ReadonlyMap<string, ShellProgram> {
  const all = new Map(programs);
  for (const [name, program] of Object.entries(simulatedPrograms)) {
    all.set(name, (call) => {
      onSimulated(call.argv);
      return program(call);
    });
  }
  return all;
}

/** Counts what a process prints, on both outputs together. */
function bounded(streams: Streams): Streams {
  let left = shellLimits.outputBytes;
  const count = (output: Output): Output => ({
    write(bytes) {
      left -= bytes.length;
      if (left < 0) throw new OverLimit('output too large');
      output.write(bytes);
    },
  });
  return { ...streams, stdout: count(streams.stdout), stderr: count(streams.stderr) };
}

function* overLimit(problem: string, { role, streams }: RunRequest): Steps<number> {
  if (role === 'main' && problem === 'too many steps') yield { kind: 'forever' };
  print(streams.stderr, `Killed: ${problem}\n`);
  return 137;
}

function notFound({ argv, streams, session }: ProgramCall): number {
  print(streams.stderr, `${session.name}: ${argv[0] ?? ''}: not found\n`);
  return 127;
}
