import { invoke, runList } from '../language/interpreter';
import { decode, InputStream, print } from '../language/io';
import { parseScript } from '../language/parser';
import { Interrupted, type Steps } from '../language/process';
import { ExitSignal, JumpSignal, type ProgramCall, type ShellProgram, type ShellSession } from '../language/session';
import { SyntaxProblem } from '../language/syntax';

/** What a shell itself does: control flow, variables, options, other scripts. */
export const builtins: { readonly [name: string]: ShellProgram } = {
  ':': () => 0,
  true: () => 0,
  false: () => 1,
  // Nothing runs in the background, and no signal comes.
  trap: () => 0,
  wait: () => 0,
  umask: () => 0,
  ulimit: () => 0,
  exit({ argv, session }) {
    throw new ExitSignal(number(argv[1], session.status));
  },
  return({ argv, session }) {
    throw new JumpSignal('return', number(argv[1], session.status));
  },
  break({ argv }) {
    throw new JumpSignal('break', number(argv[1], 1));
  },
  continue({ argv }) {
    throw new JumpSignal('continue', number(argv[1], 1));
  },
  cd({ argv, session, streams }) {
    const { files, role } = session.host;
    const target = argv[1] ?? session.variables.get('HOME') ?? '/';
    const path = session.path(target);
    if (role === 'main' && files.isOfImage(path) && files.get(path) === undefined) files.makeDirectories(path);
    if (files.get(path)?.kind === 'directory') session.cwd = path;
    else print(streams.stderr, `${session.name}: cd: can't cd to ${target}: No such file or directory\n`);
    return Number(session.cwd !== path);
  },
  pwd({ session, streams }) {
    print(streams.stdout, `${session.cwd}\n`);
    return 0;
  },
  export: ({ argv, session }) => assign(argv, session, (name) => session.exported.add(name)),
  readonly: ({ argv, session }) => assign(argv, session, () => {}),
  local: ({ argv, session }) => assign(argv, session, (name, value) => session.variables.set(name, value ?? '')),
  unset({ argv, session }) {
    for (const name of argv.slice(1)) {
      session.variables.delete(name);
      session.exported.delete(name);
      session.functions.delete(name);
    }
    return 0;
  },
  shift({ argv, session }) {
    const count = number(argv[1], 1);
    if (count > session.parameters.length) return 1;
    session.parameters = session.parameters.slice(count);
    return 0;
  },
  set({ argv, session }) {
    const at = readShellOptions(session, argv);
    if (at < argv.length || argv.includes('--')) session.parameters = argv.slice(at);
    return 0;
  },
  *read({ argv, session, streams }) {
    const given = argv.slice(1).filter((arg) => !arg.startsWith('-'));
    const names = given.length === 0 ? ['REPLY'] : given;
    const line = yield* streams.stdin.line();
    if (line === undefined) return 1;
    const words = splitLine(line, session.variables.get('IFS') ?? ' \t');
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      session.variables.set(name, isLast ? words.slice(index).join(' ') : (words[index] ?? ''));
    }
    return 0;
  },
  eval: ({ argv, session }) => runList(session, parseScript(argv.slice(1).join(' '))),
  '.': ({ argv, session }) => runList(session, parseScript(decode(session.read(argv[1] ?? '')))),
  source: ({ argv, session }) => runList(session, parseScript(decode(session.read(argv[1] ?? '')))),
  *exec(call) {
    if (call.argv.length < 2) return 0;
    throw new ExitSignal(yield* invoke({ ...call, argv: call.argv.slice(1) }));
  },
  command: (call) => (call.argv[1] === '-v' ? which(call, 2) : invoke({ ...call, argv: call.argv.slice(1) })),
  type: (call) => which(call, 1),
  which: (call) => which(call, 1),
  sh: shell,
  bash: shell,
  ash: shell,
  dash: shell,
};

function* shell(call: ProgramCall): Steps<number> {
  const { argv, session } = call;
  const inner = session.fork(call.streams);
  inner.functions.clear();
  const at = readShellOptions(inner, argv);
  const isScript = argv.slice(1, at).some((arg) => /^-\w*c/.test(arg));
  const first = argv[at];
  if (first === undefined) return yield* interactive(inner);
  inner.parameters = argv.slice(at + (isScript ? 2 : 1));
  inner.name = isScript ? (argv[at + 1] ?? 'sh') : first;
  const script = isScript ? first : scriptOf(session, first);
  if (script !== undefined) return yield* runScript(inner, script);
  const result = session.host.unknown?.({ ...call, argv: argv.slice(at) }) ?? 127;
  return typeof result === 'number' ? result : yield* result;
}

/** Reads `-eux -o pipefail`, as `sh` and `set` have them, up to `--` or the first operand; where that is. */
function readShellOptions(session: ShellSession, argv: readonly string[]): number {
  const { options } = session;
  let at = 1;
  for (; /^[-+][a-z]+$/i.test(argv[at] ?? ''); at++) {
    const flags = argv[at] ?? '';
    const isOn = flags.startsWith('-');
    const long = flags.endsWith('o') ? argv[++at] : undefined;
    if (flags.includes('e') || long === 'errexit') options.errexit = isOn;
    if (flags.includes('x') || long === 'xtrace') options.xtrace = isOn;
    if (flags.includes('u') || long === 'nounset') options.nounset = isOn;
    if (long === 'pipefail') options.pipefail = isOn;
  }
  return argv[at] === '--' ? at + 1 : at;
}

/** What only bash has, or what our shell does not do; such a script file counts as the image's own program. */
const BEYOND_US =
  /=~|BASH_|\bgetopts\b|^\s*(declare|mapfile|coproc|select)\b|\bfor \(\(|\w\+?=\(|\$\{\w+(:\d|\[|\/|\^|,)|<\(/m;

/** The text of a script file; undefined in a main process when the image knows it and we do not. */
function scriptOf(session: ShellSession, name: string): string | undefined {
  const isMain = session.host.role === 'main';
  if (isMain && session.node(name) === undefined && session.host.files.isOfImage(session.path(name))) return undefined;
  const script = decode(session.read(name));
  return isMain && BEYOND_US.test(script) ? undefined : script;
}

/** Runs a whole script; what ends it is its status. */
function* runScript(session: ShellSession, script: string): Steps<number> {
  try {
    return yield* runList(session, parseScript(script));
  } catch (signal) {
    if (signal instanceof ExitSignal) return signal.exitCode;
    if (signal instanceof JumpSignal) return signal.kind === 'return' ? signal.value : 0;
    if (!(signal instanceof SyntaxProblem)) throw signal;
    print(session.streams.stderr, `${session.name}: ${signal.message}\n`);
    // A script that only a larger shell reads is left to the image's.
    return session.host.role === 'main' ? 0 : 2;
  }
}

/** Commands line by line from the standard input. At a terminal with a prompt, and what is run reads from the terminal too. */
function* interactive(session: ShellSession): Steps<number> {
  const { stdin, stderr } = session.streams;
  const isTerminal = session.host.terminal !== undefined;
  if (!isTerminal) session.streams = { ...session.streams, stdin: new InputStream() };
  for (;;) {
    try {
      if (isTerminal) print(stderr, session.variables.get('PS1') ?? `${session.cwd} # `);
      const line = yield* stdin.line();
      if (line === undefined) return session.status;
      if (isTerminal) session.renewBudget();
      yield* runList(session, parseScript(line.replace(/\r$/, '')));
    } catch (signal) {
      if (signal instanceof ExitSignal) return signal.exitCode;
      session.status = statusAfter(signal, session);
    }
  }
}

/** The status of a line that did not end by itself. */
function statusAfter(signal: unknown, { host, name, streams }: ShellSession): number {
  if (signal instanceof Interrupted && host.terminal !== undefined) return 130;
  if (signal instanceof JumpSignal) return 0;
  if (!(signal instanceof SyntaxProblem)) throw signal;
  print(streams.stderr, `${name}: ${signal.message}\n`);
  return 2;
}

function which({ argv, session, streams }: ProgramCall, from: number): number {
  const names = argv.slice(from);
  const known = names.filter((name) => session.host.programs.has(name) || session.functions.has(name));
  for (const name of known) print(streams.stdout, `${name in builtins ? name : `/usr/bin/${name}`}\n`);
  return known.length === names.length ? 0 : 127;
}

/** Words of a line between any of the separators; blanks around a separator count with it. */
function splitLine(line: string, separators: string): string[] {
  const words: string[] = [];
  let word = '';
  let afterMark = true;
  for (const char of line) {
    if (!separators.includes(char)) {
      word += char;
      afterMark = false;
    } else if (char !== ' ' && char !== '\t') {
      if (word !== '' || afterMark) words.push(word);
      word = '';
      afterMark = true;
    } else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  if (word !== '') words.push(word);
  return words;
}

/** Sets the variables of `NAME=value`; `take` is called with each name. */
function assign(
  argv: readonly string[],
  session: ShellSession,
  take: (name: string, value: string | undefined) => unknown,
): number {
  for (const arg of argv.slice(1)) {
    const [, name, value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (name === undefined) continue;
    if (value !== undefined) session.variables.set(name, value);
    take(name, value);
  }
  return 0;
}

function number(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : otherwise;
}
