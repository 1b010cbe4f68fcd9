import type { Steps } from './effects';
import { expandPattern, expandText, expandWords } from './expand';
import { FileError } from './file-tree';
import { Collector, InputStream, print, type Streams } from './io';
import { matchesGlob } from './pattern';
import { redirect } from './redirect';
import { ExitSignal, JumpSignal, type ProgramCall, type ShellSession } from './session';
import type { AndOr, Command, List, Pipeline } from './syntax';

/** Runs a list; the status of its last command. Throws {@link ExitSignal} and {@link JumpSignal}. */
export function* runList(session: ShellSession, list: List, streams: Streams): Steps<number> {
  for (const item of list) yield* runAndOr(session, item, streams);
  return session.status;
}

function* runAndOr(session: ShellSession, item: AndOr, streams: Streams): Steps<void> {
  const last = item.rest.length;
  yield* runPipeline(session, item.first, streams, last > 0);
  for (const [index, { operator, pipeline }] of item.rest.entries()) {
    if ((operator === '&&') !== (session.status === 0)) continue;
    yield* runPipeline(session, pipeline, streams, index < last - 1);
  }
}

function* runPipeline(session: ShellSession, pipeline: Pipeline, streams: Streams, guarded: boolean): Steps<void> {
  const free = guarded || pipeline.negated;
  if (free) session.guarded++;
  try {
    session.status = yield* runStages(session, pipeline.commands, streams);
  } finally {
    if (free) session.guarded--;
  }
  if (pipeline.negated) session.status = session.status === 0 ? 1 : 0;
  else if (session.status !== 0 && session.options.errexit && session.guarded === 0 && !free) {
    throw new ExitSignal(session.status);
  }
}

/** One after the other: each stage ends before the next begins, what it wrote is the next one's input. */
function* runStages(session: ShellSession, commands: readonly Command[], streams: Streams): Steps<number> {
  const only = commands[0];
  if (commands.length === 1 && only !== undefined) return yield* runCommand(session, only, streams);
  let stdin = streams.stdin;
  let failed = 0;
  let status = 0;
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1;
    const collector = isLast ? undefined : new Collector(session.host.limits.outputBytes);
    status = yield* inSubshell(session, command, { ...streams, stdin, stdout: collector ?? streams.stdout });
    if (status !== 0) failed = status;
    if (collector !== undefined) stdin = InputStream.of(collector.bytes());
  }
  return session.options.pipefail ? failed : status;
}

function* inSubshell(session: ShellSession, command: Command, streams: Streams): Steps<number> {
  try {
    return yield* runCommand(session.fork(), command, streams);
  } catch (signal) {
    if (signal instanceof ExitSignal) return signal.exitCode;
    throw signal;
  }
}

function* runCommand(session: ShellSession, command: Command, streams: Streams): Steps<number> {
  session.step();
  if (command.kind === 'function') {
    session.functions.set(command.name, command.body);
    return 0;
  }
  const opened = yield* redirect(session, command.redirects, streams);
  if (opened === undefined) return 1;
  try {
    return yield* runOpened(session, command, opened.streams);
  } finally {
    opened.close();
  }
}

function* runOpened(
  session: ShellSession,
  command: Exclude<Command, { kind: 'function' }>,
  streams: Streams,
): Steps<number> {
  switch (command.kind) {
    case 'simple':
      return yield* runSimple(session, command, streams);
    case 'group':
      if (!command.subshell) return yield* runList(session, command.body, streams);
      return yield* inSubshell(session, { ...command, subshell: false, redirects: [] }, streams);
    case 'if':
      for (const branch of command.branches) {
        if (yield* holds(session, branch.test, streams)) return yield* runBody(session, branch.body, streams);
      }
      return command.otherwise === undefined ? 0 : yield* runBody(session, command.otherwise, streams);
    case 'for': {
      const words =
        command.words === undefined ? session.parameters : yield* expandWords(session, command.words, streams);
      let at = 0;
      return yield* loop(session, command.body, streams, () => {
        const value = words[at++];
        if (value !== undefined) session.variables.set(command.name, value);
        return value !== undefined;
      });
    }
    case 'while':
      return yield* loop(session, command.body, streams, function* () {
        return (yield* holds(session, command.test, streams)) !== command.until;
      });
    case 'case': {
      const text = yield* expandText(session, command.word, streams);
      for (const branch of command.branches) {
        for (const pattern of branch.patterns) {
          const wanted = yield* expandPattern(session, pattern, streams);
          if (matchesGlob(wanted, text)) return yield* runBody(session, branch.body, streams);
        }
      }
      return 0;
    }
  }
}

function* runBody(session: ShellSession, list: List, streams: Streams): Steps<number> {
  session.status = 0;
  return yield* runList(session, list, streams);
}

function* holds(session: ShellSession, test: List, streams: Streams): Steps<boolean> {
  session.guarded++;
  try {
    return (yield* runList(session, test, streams)) === 0;
  } finally {
    session.guarded--;
  }
}

function* loop(
  session: ShellSession,
  body: List,
  streams: Streams,
  again: () => boolean | Steps<boolean>,
): Steps<number> {
  let status = 0;
  for (;;) {
    const goesOn = again();
    if (!(typeof goesOn === 'boolean' ? goesOn : yield* goesOn)) return status;
    session.step();
    try {
      status = yield* runBody(session, body, streams);
    } catch (signal) {
      if (!(signal instanceof JumpSignal) || signal.kind === 'return') throw signal;
      if (signal.value > 1) throw new JumpSignal(signal.kind, signal.value - 1);
      status = 0;
      if (signal.kind === 'break') return status;
    }
  }
}

type SimpleCommand = Extract<Command, { kind: 'simple' }>;

function* runSimple(session: ShellSession, command: SimpleCommand, streams: Streams): Steps<number> {
  session.status = command.words.length === 0 ? 0 : session.status;
  const argv = yield* expandWords(session, command.words, streams);
  const values: [string, string][] = [];
  for (const { name, value } of command.assignments) {
    const text = yield* expandText(session, value, streams);
    if (argv.length === 0) session.variables.set(name, text);
    values.push([name, text]);
  }
  if (argv.length === 0) return session.status;
  if (session.options.xtrace) print(streams.stderr, `+ ${argv.join(' ')}\n`);
  const restore = values.map(([name]) => [name, session.variables.get(name), session.exported.has(name)] as const);
  for (const [name, text] of values) session.export(name, text);
  try {
    return yield* invoke({ argv, streams, session });
  } finally {
    for (const [name, before, exported] of restore) {
      if (before === undefined) session.variables.delete(name);
      else session.variables.set(name, before);
      if (!exported) session.exported.delete(name);
    }
  }
}

/** Runs a function, builtin or program by name; errors of files become its message and status 1. */
export function* invoke(call: ProgramCall): Steps<number> {
  const { session, argv, streams } = call;
  const name = argv[0] ?? '';
  const body = session.functions.get(name);
  if (body !== undefined) return yield* runFunction(call, body);
  const base = name.split('/').at(-1) ?? name;
  const isFile = name.includes('/') && session.host.files.get(session.path(name))?.kind === 'file';
  const run = isFile ? session.host.programs.get('sh') : session.host.programs.get(base);
  const program = run ?? session.host.unknown;
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

/** Programs that do something with files that they are given. */
const FILE_USERS = new Set(
  'cat cp mv ln rm ls chmod chown chgrp sed grep head tail sort wc stat du find tar . source cd'.split(' '),
);

/** True when a container's own command failed at a file that may well be in its image. */
function lacksImageFile({ argv, session }: ProgramCall, base: string): boolean {
  if (session.host.role !== 'main' || !FILE_USERS.has(base)) return false;
  const { files } = session.host;
  return argv.slice(1).some((arg) => {
    const path = session.path(arg);
    return !arg.startsWith('-') && arg.includes('/') && files.get(path) === undefined && files.isOfImage(path);
  });
}

function* runFunction({ session, argv, streams }: ProgramCall, body: Command): Steps<number> {
  const before = session.parameters;
  session.parameters = argv.slice(1);
  try {
    return yield* runCommand(session, body, streams);
  } catch (signal) {
    if (signal instanceof JumpSignal && signal.kind === 'return') return signal.value;
    throw signal;
  } finally {
    session.parameters = before;
  }
}
