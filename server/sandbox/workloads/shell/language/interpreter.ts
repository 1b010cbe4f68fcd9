import { expandPattern, expandText, expandWords } from './expand';
import { FileError } from './file-tree';
import { Collector, InputStream, print } from './io';
import { matchesGlob } from './pattern';
import type { Steps } from './process';
import { redirect } from './redirect';
import { ExitSignal, JumpSignal, type ProgramCall, type ShellSession } from './session';
import type { Command, List, Pipeline } from './syntax';

/** Runs a list; the status of its last command. Throws {@link ExitSignal} and {@link JumpSignal}. */
export function* runList(session: ShellSession, list: List): Steps<number> {
  for (const pipelines of list) {
    for (const [index, pipeline] of pipelines.entries()) {
      const { operator } = pipeline;
      if (operator !== undefined && (operator === '&&') !== (session.status === 0)) continue;
      yield* runPipeline(session, pipeline, index < pipelines.length - 1);
    }
  }
  return session.status;
}

function* runPipeline(session: ShellSession, { negated, commands }: Pipeline, guarded: boolean): Steps<void> {
  const stages = (): Steps<number> => runStages(session, commands);
  const status = negated || guarded ? yield* guard(session, stages) : yield* stages();
  session.status = negated ? Number(status === 0) : status;
  const ends = session.options.errexit && !negated && !guarded && session.guarded === 0;
  if (ends && status !== 0) throw new ExitSignal(status);
}

/** Runs what may fail without ending the shell. */
function* guard(session: ShellSession, run: () => Steps<number>): Steps<number> {
  session.guarded++;
  try {
    return yield* run();
  } finally {
    session.guarded--;
  }
}

/** One after the other: each stage ends before the next begins, what it wrote is the next one's input. */
function* runStages(session: ShellSession, commands: readonly Command[]): Steps<number> {
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) return yield* runCommand(session, only);
  let { stdin } = session.streams;
  let failed = 0;
  let status = 0;
  for (const [index, command] of commands.entries()) {
    const collector = new Collector();
    const isLast = index === commands.length - 1;
    status = yield* inSubshell(session.fork({ stdin, stdout: isLast ? session.streams.stdout : collector }), (inner) =>
      runCommand(inner, command),
    );
    if (status !== 0) failed = status;
    stdin = new InputStream(collector.bytes());
  }
  return session.options.pipefail ? failed : status;
}

function* inSubshell(session: ShellSession, run: (session: ShellSession) => Steps<number>): Steps<number> {
  try {
    return yield* run(session);
  } catch (signal) {
    if (signal instanceof ExitSignal) return signal.exitCode;
    throw signal;
  }
}

function* runCommand(session: ShellSession, command: Command): Steps<number> {
  session.step();
  const opened = yield* redirect(session, command.redirects);
  if (opened === undefined) return 1;
  const before = session.streams;
  session.streams = opened.streams;
  try {
    return yield* runOpened(session, command);
  } finally {
    session.streams = before;
    opened.close();
  }
}

function* runOpened(session: ShellSession, command: Command): Steps<number> {
  switch (command.kind) {
    case 'function':
      session.functions.set(command.name, command.body);
      return 0;
    case 'simple':
      return yield* runSimple(session, command);
    case 'group':
      if (!command.subshell) return yield* runList(session, command.body);
      return yield* inSubshell(session.fork(), (inner) => runList(inner, command.body));
    case 'if':
      for (const [test, body] of command.branches) {
        if (test.length === 0 || (yield* holds(session, test))) return yield* runBody(session, body);
      }
      return 0;
    case 'for': {
      const words = [
        ...(command.words === undefined ? session.parameters : yield* expandWords(session, command.words)),
      ];
      // biome-ignore lint/correctness/useYield: the next word is there
      return yield* loop(session, command.body, function* () {
        const value = words.shift();
        if (value !== undefined) session.variables.set(command.name, value);
        return value !== undefined;
      });
    }
    case 'while':
      return yield* loop(session, command.body, function* () {
        return (yield* holds(session, command.test)) !== command.until;
      });
    case 'case': {
      const text = yield* expandText(session, command.word);
      for (const [patterns, body] of command.branches) {
        for (const pattern of patterns) {
          if (matchesGlob(yield* expandPattern(session, pattern), text)) return yield* runBody(session, body);
        }
      }
      return 0;
    }
  }
}

function* runBody(session: ShellSession, list: List): Steps<number> {
  session.status = 0;
  return yield* runList(session, list);
}

function* holds(session: ShellSession, test: List): Steps<boolean> {
  return (yield* guard(session, () => runList(session, test))) === 0;
}

function* loop(session: ShellSession, body: List, again: () => Steps<boolean>): Steps<number> {
  let status = 0;
  while (yield* again()) {
    session.step();
    try {
      status = yield* runBody(session, body);
    } catch (signal) {
      if (!(signal instanceof JumpSignal) || signal.kind === 'return') throw signal;
      if (signal.value > 1) throw new JumpSignal(signal.kind, signal.value - 1);
      status = 0;
      if (signal.kind === 'break') break;
    }
  }
  return status;
}

function* runSimple(session: ShellSession, command: Extract<Command, { kind: 'simple' }>): Steps<number> {
  if (command.words.length === 0) session.status = 0;
  const argv = yield* expandWords(session, command.words);
  const values: [name: string, value: string][] = [];
  for (const [name, value] of command.assignments) {
    const text = yield* expandText(session, value);
    if (argv.length === 0) session.variables.set(name, text);
    values.push([name, text]);
  }
  if (argv.length === 0) return session.status;
  if (session.options.xtrace) print(session.streams.stderr, `+ ${argv.join(' ')}\n`);
  const before = values.map(([name]) => [name, session.variables.get(name), session.exported.has(name)] as const);
  for (const [name, text] of values) session.export(name, text);
  try {
    return yield* invoke({ argv, streams: session.streams, session });
  } finally {
    for (const [name, value, exported] of before) {
      if (value === undefined) session.variables.delete(name);
      else session.variables.set(name, value);
      if (!exported) session.exported.delete(name);
    }
  }
}

/** Runs a function, builtin or program by name; errors of files become its message and status 1. */
export function* invoke(call: ProgramCall): Steps<number> {
  const { session, argv, streams } = call;
  const [name = ''] = argv;
  const body = session.functions.get(name);
  if (body !== undefined) return yield* runFunction(session, argv, body);
  const base = name.split('/').at(-1) ?? name;
  const isFile = name.includes('/') && session.node(name)?.kind === 'file';
  const program = session.host.programs.get(isFile ? 'sh' : base) ?? session.host.unknown ?? commandNotFound;
  try {
    const result = program(isFile ? { ...call, argv: ['sh', ...argv] } : call);
    const status = typeof result === 'number' ? result : yield* result;
    // The status 1 of grep means that an existing file has no match.
    const hasFailed = base === 'grep' ? status > 1 : status !== 0;
    return hasFailed && lacksImageFile(call, base) ? 0 : status;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    print(streams.stderr, `${base}: ${error.message}\n`);
    return lacksImageFile(call, base) ? 0 : 1;
  }
}

/** What a shell says of a program that does not exist. */
export function commandNotFound({ argv, streams, session }: ProgramCall): number {
  print(streams.stderr, `${session.name}: ${argv[0] ?? ''}: not found\n`);
  return 127;
}

/** Programs that do something with files that they are given. */
const FILE_USERS = new Set(
  'cat cp mv ln rm ls chmod chown chgrp sed grep head tail sort wc stat du find tar . source cd'.split(' '),
);

/** True when a container's own command failed at a file that may well be in its image. */
function lacksImageFile({ argv, session }: ProgramCall, base: string): boolean {
  if (session.host.role !== 'main' || !FILE_USERS.has(base)) return false;
  return argv.slice(1).some((arg) => {
    const isPath = !arg.startsWith('-') && arg.includes('/');
    return isPath && session.node(arg) === undefined && session.host.files.isOfImage(session.path(arg));
  });
}

function* runFunction(session: ShellSession, argv: readonly string[], body: Command): Steps<number> {
  const before = session.parameters;
  session.parameters = argv.slice(1);
  try {
    return yield* runCommand(session, body);
  } catch (signal) {
    if (signal instanceof JumpSignal && signal.kind === 'return') return signal.value;
    throw signal;
  } finally {
    session.parameters = before;
  }
}
