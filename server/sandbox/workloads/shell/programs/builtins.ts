import { invoke, runList } from '../language/interpreter';
import { encode, InputStream, print } from '../language/io';
import { parseScript } from '../language/parser';
import { ExitSignal, JumpSignal, type ShellProgram } from '../language/session';
import { SyntaxProblem } from '../language/syntax';

/** What a shell itself does: control flow, variables, options, other scripts. */
export const builtins: { readonly [name: string]: ShellProgram } = {
  ':'() {
    return 0;
  },
  true() {
    return 0;
  },
  false() {
    return 1;
  },
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
    const target = argv[1] ?? session.variables.get('HOME') ?? '/';
    const path = session.path(target);
    const isMain = session.host.role === 'main' && session.host.files.isOfImage(path);
    if (isMain && session.host.files.get(path) === undefined) session.host.files.makeDirectories(path, session.nowMs());
    if (session.host.files.get(path)?.kind !== 'directory') {
      print(streams.stderr, `${session.name}: cd: can't cd to ${target}: No such file or directory\n`);
      return 1;
    }
    session.cwd = path;
    return 0;
  },
  pwd({ session, streams }) {
    print(streams.stdout, `${session.cwd}\n`);
    return 0;
  },
  export({ argv, session }) {
    for (const arg of argv.slice(1))
      assign(arg, (name, value) => {
        if (value !== undefined) session.variables.set(name, value);
        session.exported.add(name);
      });
    return 0;
  },
  readonly({ argv, session }) {
    for (const arg of argv.slice(1))
      assign(arg, (name, value) => value !== undefined && session.variables.set(name, value));
    return 0;
  },
  local({ argv, session }) {
    for (const arg of argv.slice(1)) assign(arg, (name, value) => session.variables.set(name, value ?? ''));
    return 0;
  },
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
    const names = { errexit: 'e', xtrace: 'x', nounset: 'u', pipefail: '' } as const;
    for (let at = 1; at < argv.length; at++) {
      const arg = argv[at] ?? '';
      if (arg === '--') {
        session.parameters = argv.slice(at + 1);
        return 0;
      }
      if (!/^[-+]/.test(arg)) {
        session.parameters = argv.slice(at);
        return 0;
      }
      const on = arg.startsWith('-');
      const long = arg.slice(1).endsWith('o') ? argv[++at] : undefined;
      for (const [name, letter] of Object.entries(names)) {
        const chosen = name === long || (letter !== '' && arg.slice(1).includes(letter));
        if (chosen && name in session.options) session.options[name as keyof typeof names] = on;
      }
    }
    return 0;
  },
  *read({ argv, session, streams }) {
    const names = argv.slice(1).filter((arg) => !arg.startsWith('-'));
    const line = yield* streams.stdin.line();
    if (line === undefined) return 1;
    const words = splitLine(line, session.variables.get('IFS') ?? ' \t');
    for (const [index, name] of (names.length === 0 ? ['REPLY'] : names).entries()) {
      const isLast = index >= names.length - 1;
      session.variables.set(name, isLast ? words.slice(index).join(' ') : (words[index] ?? ''));
    }
    return 0;
  },
  *eval({ argv, session, streams }) {
    return yield* runList(session, parseScript(argv.slice(1).join(' ')), streams);
  },
  *'.'({ argv, session, streams }) {
    const script = new TextDecoder().decode(session.host.files.read(session.path(argv[1] ?? '')));
    return yield* runList(session, parseScript(script), streams);
  },
  *exec(call) {
    if (call.argv.length < 2) return 0;
    throw new ExitSignal(yield* invoke({ ...call, argv: call.argv.slice(1) }));
  },
  *command(call) {
    if (call.argv[1] === '-v' || call.argv[1] === '-V') return which(call.argv.slice(2), call);
    return yield* invoke({ ...call, argv: call.argv.slice(1) });
  },
  type(call) {
    return which(call.argv.slice(1), call);
  },
  which(call) {
    return which(call.argv.slice(1), call);
  },
  trap() {
    return 0;
  },
  wait() {
    return 0;
  },
  umask() {
    return 0;
  },
  ulimit() {
    return 0;
  },
  *sh(call) {
    const { argv, session, streams } = call;
    const inner = session.fork();
    inner.functions.clear();
    const { at, isScript } = readShellOptions(inner, argv);
    const [first] = argv.slice(at);
    inner.parameters = argv.slice(at + (isScript ? 2 : 1));
    if (first === undefined) return yield* interactive(inner, streams);
    inner.name = isScript ? (argv[at + 1] ?? 'sh') : first;
    const script = isScript ? first : scriptOf(call, first);
    if (script === undefined) {
      const result = session.host.unknown({ ...call, argv: argv.slice(at) });
      return typeof result === 'number' ? result : yield* result;
    }
    return yield* guard(inner, script, streams);
  },
};

type Streams = Parameters<typeof runList>[2];

/** Reads the options before the script: where the operands begin, and whether the first is the script itself (`-c`). */
function readShellOptions(
  inner: Parameters<typeof runList>[0],
  argv: readonly string[],
): { readonly at: number; readonly isScript: boolean } {
  let at = 1;
  let isScript = false;
  for (; /^[-+][a-z]+$/i.test(argv[at] ?? ''); at++) {
    const flags = argv[at] ?? '';
    if (flags.includes('e')) inner.options.errexit = true;
    if (flags.includes('x')) inner.options.xtrace = true;
    if (flags.includes('u')) inner.options.nounset = true;
    if (flags.includes('c')) isScript = true;
    if (flags.endsWith('o')) inner.options.pipefail ||= argv[++at] === 'pipefail';
  }
  return { at, isScript };
}

/** What only bash has, or what our shell does not do; such a script file counts as the image's own program. */
const BEYOND_US =
  /=~|BASH_|\bgetopts\b|^\s*(declare|mapfile|coproc|select)\b|\bfor \(\(|\w\+?=\(|\$\{\w+:\d|\$\{\w+\[|<\(/m;

/** The text of a script file; undefined in a main process when the image knows it and we do not. */
function scriptOf({ session }: Parameters<ShellProgram>[0], name: string): string | undefined {
  const path = session.path(name);
  const isMain = session.host.role === 'main';
  if (isMain && session.host.files.get(path) === undefined && session.host.files.isOfImage(path)) return undefined;
  const script = new TextDecoder().decode(session.host.files.read(path));
  return isMain && BEYOND_US.test(script) ? undefined : script;
}

/** Runs a whole script; what ends it is its status. */
function* guard(session: Parameters<typeof runList>[0], script: string, streams: Streams): ReturnType<typeof runList> {
  try {
    return yield* runList(session, parseScript(script), streams);
  } catch (signal) {
    if (signal instanceof ExitSignal) return signal.exitCode;
    if (signal instanceof JumpSignal) return signal.kind === 'return' ? signal.value : 0;
    if (!(signal instanceof SyntaxProblem)) throw signal;
    print(streams.stderr, `${session.name}: ${signal.message}\n`);
    // A script that only a larger shell reads is left to the image's.
    return session.host.role === 'main' ? 0 : 2;
  }
}

/** Commands line by line from the standard input, as a terminal session has them. */
function* interactive(session: Parameters<typeof runList>[0], streams: Streams): ReturnType<typeof runList> {
  const inner = { ...streams, stdin: InputStream.of(encode('')) };
  for (let line = yield* streams.stdin.line(); line !== undefined; line = yield* streams.stdin.line()) {
    try {
      yield* runList(session, parseScript(line.replace(/\r$/, '')), inner);
    } catch (signal) {
      if (signal instanceof ExitSignal) return signal.exitCode;
      if (!(signal instanceof SyntaxProblem)) throw signal;
      print(streams.stderr, `${session.name}: ${signal.message}\n`);
      session.status = 2;
    }
  }
  return session.status;
}

function which(names: readonly string[], { session, streams }: Parameters<ShellProgram>[0]): number {
  const missing = names.filter((name) => !session.host.programs.has(name) && !session.functions.has(name));
  for (const name of names) {
    if (!missing.includes(name)) print(streams.stdout, `${name in builtins ? name : `/usr/bin/${name}`}\n`);
  }
  return missing.length === 0 ? 0 : 127;
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

function assign(arg: string, take: (name: string, value: string | undefined) => unknown): void {
  const match = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(arg);
  if (match?.[1] !== undefined) take(match[1], match[2]);
}

function number(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : otherwise;
}
