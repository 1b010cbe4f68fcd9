import { decode, encode, print } from '../language/io';
import type { Steps } from '../language/process';
import type { ProgramCall, ShellProgram } from '../language/session';
import { eachName } from './files';
import { printfText, unescapeText } from './format';
import { readOptions } from './options';

/** Programs that print and filter text. */
export const textPrograms: { readonly [name: string]: ShellProgram } = {
  echo({ argv, streams }) {
    const end = argv.findIndex((arg, index) => index > 0 && !/^-[neE]+$/.test(arg));
    const flags = argv.slice(1, end < 0 ? undefined : end).join('');
    const text = end < 0 ? '' : argv.slice(end).join(' ');
    print(streams.stdout, (flags.includes('e') ? unescapeText(text) : text) + (flags.includes('n') ? '' : '\n'));
    return 0;
  },
  printf({ argv, streams }) {
    print(streams.stdout, printfText(argv[1] ?? '', argv.slice(2)));
    return 0;
  },
  *cat(call) {
    const { operands } = readOptions(call.argv);
    const { stdin, stdout } = call.streams;
    if (operands.length === 0 || operands.includes('-')) {
      for (let chunk = yield* stdin.chunk(); chunk !== undefined; chunk = yield* stdin.chunk()) stdout.write(chunk);
    }
    return eachFile(call, operands, (bytes) => stdout.write(bytes));
  },
  *head(call) {
    return yield* edges(call, (items, count) => items.slice(0, count));
  },
  *tail(call) {
    const follows = call.argv.some((arg) => /^-\w*[fF]/.test(arg) || arg.startsWith('--follow'));
    const code = yield* edges(call, (items, count, isFromStart) =>
      isFromStart ? items.slice(count - 1) : items.slice(-count, count === 0 ? 0 : undefined),
    );
    if (follows) yield { kind: 'forever' };
    return code;
  },
  /** `-l`, `-c` or both; without a file only the numbers, as scripts want them. */
  *wc(call) {
    const { options, operands } = readOptions(call.argv);
    const text = decode(yield* input(call, operands));
    const lines = text.split('\n').length - 1;
    const words = text.split(/\s+/).filter((word) => word !== '').length;
    const counts = [
      ...(options.has('l') || options.size === 0 ? [lines] : []),
      ...(options.has('w') || options.size === 0 ? [words] : []),
      ...(options.has('c') || options.size === 0 ? [encode(text).byteLength] : []),
    ];
    print(call.streams.stdout, `${[...counts, ...operands].join(' ')}\n`);
    return 0;
  },
  *sort(call) {
    const { options, operands } = readOptions(call.argv, 'kt');
    const field = Number.parseInt(options.get('k') ?? '', 10) || 0;
    const key = (line: string): string =>
      field === 0 ? line : (line.split(options.get('t') ?? /\s+/)[field - 1] ?? '');
    const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
    const lines = linesOf(yield* input(call, operands)).sort((a, b) => {
      const numeric = options.has('n') ? (Number.parseFloat(key(a)) || 0) - (Number.parseFloat(key(b)) || 0) : 0;
      return numeric || compare(key(a), key(b)) || compare(a, b);
    });
    if (options.has('r')) lines.reverse();
    print(call.streams.stdout, joined(options.has('u') ? [...new Set(lines)] : lines));
    return 0;
  },
  *tr(call) {
    const { options, operands } = readOptions(call.argv);
    const [from, to] = [characterSet(operands[0] ?? ''), characterSet(operands[1] ?? '')];
    const text = decode(yield* call.streams.stdin.all());
    const changed = Array.from(text, (char) => {
      const at = options.has('c') === from.includes(char) ? -1 : Math.max(0, from.indexOf(char));
      if (at < 0) return char;
      return options.has('d') ? '' : (to[at] ?? to.at(-1) ?? '');
    });
    print(call.streams.stdout, changed.join(''));
    return 0;
  },
  *tee(call) {
    const { options, operands } = readOptions(call.argv);
    const { session, streams } = call;
    const bytes = yield* streams.stdin.all();
    streams.stdout.write(bytes);
    for (const name of operands) {
      const before = options.has('a') && session.node(name) !== undefined ? [session.read(name)] : [];
      session.write(name, Buffer.concat([...before, bytes]));
    }
    return 0;
  },
  seq({ argv, streams, session }) {
    const numbers = argv.slice(1).map(Number);
    const [first, last] = numbers.length > 1 ? [numbers[0] ?? 1, numbers.at(-1) ?? 0] : [1, numbers[0] ?? 0];
    const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
    for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
      session.step();
      print(streams.stdout, `${value}\n`);
    }
    return 0;
  },
  *base64(call) {
    const { options, operands } = readOptions(call.argv, 'w');
    const bytes = Buffer.from(yield* input(call, operands));
    const isDecoding = options.has('d') || options.has('decode');
    if (isDecoding) call.streams.stdout.write(Buffer.from(bytes.toString(), 'base64'));
    else {
      const text = bytes.toString('base64');
      print(call.streams.stdout, `${options.get('w') === '0' ? text : text.replace(/(.{76})(?=.)/g, '$1\n')}\n`);
    }
    return 0;
  },
};

/** Calls `use` with the content of each file; a missing one is reported, and the status is 1. */
function eachFile(call: ProgramCall, names: readonly string[], use: (bytes: Uint8Array) => void): number {
  const files = names.filter((name) => name !== '-' && name !== '/dev/null');
  return eachName(call, files, (name) => use(call.session.read(name)));
}

/** All of the named files, or the standard input without names. */
export function* input(call: ProgramCall, names: readonly string[]): Steps<Uint8Array> {
  const files = names.filter((name) => name !== '-');
  if (files.length === 0) return yield* call.streams.stdin.all();
  return Buffer.concat(files.map((name) => call.session.read(name)));
}

/** The lines of a text without their newlines. */
export function linesOf(bytes: Uint8Array): string[] {
  const lines = decode(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

type Choose = <T extends { slice(start: number, end?: number): T }>(items: T, count: number, isFromStart: boolean) => T;

/** `head` and `tail`: the chosen lines (`-n`) or bytes (`-c`) of each file. */
function* edges(call: ProgramCall, choose: Choose): Steps<number> {
  const { options, operands } = readOptions(
    call.argv.map((arg) => (/^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg)),
    'nc',
  );
  const text = options.get('n') ?? options.get('c') ?? '10';
  const show = (bytes: Uint8Array): void => {
    const take = <T extends { slice(start: number, end?: number): T }>(items: T): T =>
      choose(items, Number(text) || 0, text.startsWith('+'));
    call.streams.stdout.write(options.has('c') ? take(bytes) : encode(joined(take(linesOf(bytes)))));
  };
  if (operands.length > 0) return eachFile(call, operands, show);
  show(yield* call.streams.stdin.all());
  return 0;
}

const CLASSES: readonly (readonly [name: string, characters: string])[] = [
  ['[:upper:]', 'A-Z'],
  ['[:lower:]', 'a-z'],
  ['[:digit:]', '0-9'],
  ['[:alnum:]', 'A-Za-z0-9'],
  ['[:space:]', ' \t\n\r'],
];

function characterSet(text: string): string {
  const set = CLASSES.reduce((before, [name, characters]) => before.replaceAll(name, characters), text);
  return unescapeText(set).replace(/(.)-(.)/gs, (whole, from: string, to: string) => {
    const first = from.charCodeAt(0);
    const count = to.charCodeAt(0) - first + 1;
    return count < 1 ? whole : String.fromCharCode(...Array.from({ length: count }, (_, index) => first + index));
  });
}
