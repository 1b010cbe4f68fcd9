import type { Steps } from '../language/effects';
import { FileError } from '../language/file-tree';
import { concat, decode, encode, print } from '../language/io';
import type { ProgramCall, ShellProgram } from '../language/session';
import { printfText } from './format';
import { readOptions } from './options';

/** Programs that print and filter text. */
export const textPrograms: { readonly [name: string]: ShellProgram } = {
  echo({ argv, streams }) {
    let args = argv.slice(1);
    let newline = true;
    let escapes = false;
    for (; /^-[neE]+$/.test(args[0] ?? ''); args = args.slice(1)) {
      if (args[0]?.includes('n') === true) newline = false;
      if (args[0]?.includes('e') === true) escapes = true;
    }
    const text = args.join(' ');
    print(streams.stdout, (escapes ? printfText(text.replaceAll('%', '%%'), []) : text) + (newline ? '\n' : ''));
    return 0;
  },
  printf({ argv, streams }) {
    print(streams.stdout, printfText(argv[1] ?? '', argv.slice(2)));
    return 0;
  },
  *cat(call) {
    const { operands } = readOptions(call.argv.slice(1));
    if (operands.length === 0 || operands.includes('-')) {
      const { stdin, stdout } = call.streams;
      for (let chunk = yield* stdin.chunk(); chunk !== undefined; chunk = yield* stdin.chunk()) stdout.write(chunk);
    }
    return eachFile(
      call,
      operands.filter((name) => name !== '-'),
      (bytes) => call.streams.stdout.write(bytes),
    );
  },
  *head(call) {
    return yield* edges(call, (lines, count) => (count < 0 ? lines.slice(0, count) : lines.slice(0, count)));
  },
  *tail(call) {
    const follows = call.argv.some((arg) => /^-\w*[fF]/.test(arg) || arg.startsWith('--follow'));
    const code = yield* edges(call, (lines, count, fromStart) =>
      fromStart ? lines.slice(count - 1) : lines.slice(Math.max(0, lines.length - count)),
    );
    if (follows) yield { kind: 'forever' };
    return code;
  },
  *sort(call) {
    const { options, operands } = readOptions(call.argv.slice(1), 'kto');
    const lines = linesOf(yield* input(call, operands));
    const field = Number.parseInt(options.get('k') ?? '0', 10) || 0;
    const key = (line: string): string =>
      field === 0 ? line : (line.split(options.get('t') ?? /\s+/)[field - 1] ?? '');
    const numeric = (line: string): number => Number.parseFloat(key(line)) || 0;
    lines.sort((a, b) =>
      options.has('n') ? numeric(a) - numeric(b) || compare(a, b) : compare(key(a), key(b)) || compare(a, b),
    );
    if (options.has('r')) lines.reverse();
    const result = options.has('u') ? lines.filter((line, index) => line !== lines[index - 1]) : lines;
    print(call.streams.stdout, joined(result));
    return 0;
  },
  *tr(call) {
    const { options, operands } = readOptions(call.argv.slice(1));
    const from = characterSet(operands[0] ?? '');
    const to = characterSet(operands[1] ?? '');
    const text = decode(yield* call.streams.stdin.all(call.session.host.limits.fileBytes));
    let result = '';
    for (const char of text) {
      const at = from.indexOf(char);
      if (options.has('c') ? at >= 0 : at < 0) result += char;
      else if (!options.has('d'))
        result += options.has('c') ? (to.at(-1) ?? '') : (to[Math.min(at, to.length - 1)] ?? '');
    }
    print(call.streams.stdout, result);
    return 0;
  },
  *tee(call) {
    const { options, operands } = readOptions(call.argv.slice(1));
    const { session, streams } = call;
    const bytes = yield* streams.stdin.all(session.host.limits.fileBytes);
    streams.stdout.write(bytes);
    for (const name of operands) {
      const path = session.path(name);
      const before =
        options.has('a') && session.host.files.get(path) !== undefined
          ? session.host.files.read(path)
          : new Uint8Array(0);
      session.host.files.write(path, concat([before, bytes]), { nowMs: session.nowMs() });
    }
    return 0;
  },
  seq({ argv, streams, session }) {
    const numbers = argv.slice(1).map(Number);
    const [first, step, last] =
      numbers.length >= 3 ? numbers : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : [1, 1, numbers[0]];
    for (let value = first ?? 1; (step ?? 1) > 0 ? value <= (last ?? 0) : value >= (last ?? 0); value += step ?? 1) {
      session.step();
      print(streams.stdout, `${value}\n`);
      if (step === 0) break;
    }
    return 0;
  },
  *base64(call) {
    const { options, operands } = readOptions(call.argv.slice(1), 'w');
    const bytes = yield* input(call, operands);
    if (options.has('d') || options.has('decode')) {
      call.streams.stdout.write(Uint8Array.from(atob(decode(bytes).replace(/\s/g, '')), (char) => char.charCodeAt(0)));
    } else {
      const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      const width = Number(options.get('w') ?? 76);
      print(call.streams.stdout, `${width === 0 ? text : text.replace(/(.{76})(?=.)/g, '$1\n')}\n`);
    }
    return 0;
  },
};

/** Calls `use` with the content of each file; a missing one is reported, and the status is 1. */
export function eachFile(
  { argv, session, streams }: ProgramCall,
  names: readonly string[],
  use: (bytes: Uint8Array, name: string) => void,
): number {
  let status = 0;
  for (const name of names) {
    session.step();
    try {
      if (name !== '/dev/null') use(session.host.files.read(session.path(name)), name);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      print(streams.stderr, `${argv[0]}: ${name}: ${error.message}\n`);
      status = 1;
    }
  }
  return status;
}

/** All of the named files, or the standard input without names. */
export function* input(call: ProgramCall, names: readonly string[]): Steps<Uint8Array> {
  const files = names.filter((name) => name !== '-');
  if (files.length === 0) return yield* call.streams.stdin.all(call.session.host.limits.fileBytes);
  return concat(files.map((name) => call.session.host.files.read(call.session.path(name))));
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Choose = (lines: readonly string[], count: number, fromStart: boolean) => readonly string[];

function* edges(call: ProgramCall, choose: Choose): Steps<number> {
  const args = call.argv.slice(1).map((arg) => (/^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg));
  const { options, operands } = readOptions(args, 'nc');
  const text = options.get('n') ?? options.get('c') ?? '10';
  const count = Number(text.replace('+', '')) || 0;
  const show = (bytes: Uint8Array): void => {
    if (options.has('c')) {
      call.streams.stdout.write(
        call.argv[0] === 'head' ? bytes.subarray(0, count) : bytes.subarray(Math.max(0, bytes.length - count)),
      );
    } else {
      call.streams.stdout.write(encode(joined(choose(linesOf(bytes), count, text.startsWith('+')))));
    }
  };
  if (operands.length > 0) return eachFile(call, operands, show);
  show(yield* call.streams.stdin.all(call.session.host.limits.fileBytes));
  return 0;
}

const CLASSES: { readonly [name: string]: string } = {
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:digit:]': '0-9',
  '[:alnum:]': 'A-Za-z0-9',
  '[:space:]': ' \t\n\r',
};

function characterSet(text: string): string {
  let set = text;
  for (const [name, range] of Object.entries(CLASSES)) set = set.replaceAll(name, range);
  set = printfText(set.replaceAll('%', '%%'), []);
  return set.replace(/(.)-(.)/gs, (whole, from: string, to: string) => {
    if (to < from) return whole;
    let range = '';
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) range += String.fromCharCode(code);
    return range;
  });
}
