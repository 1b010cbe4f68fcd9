import { evaluateArithmetic } from './arithmetic';
import type { Steps } from './effects';
import { FileError } from './file-tree';
import { Collector, decode, InputStream, OverLimit, print, type Streams } from './io';
import { cutPrefix, cutSuffix, isPattern, matchesGlob, quotePattern, replacePattern } from './pattern';
import { ExitSignal, type ShellSession } from './session';
import type { List, Word, WordPart } from './syntax';

/** A piece of an expanded word; only unquoted pieces are split into fields and matched against files. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
  /** True where a new field begins whatever the text: between the members of "$@". */
  readonly breakBefore?: boolean;
}

/** The words of a command as its arguments: expanded, split, matched against files. */
export function* expandWords(session: ShellSession, words: readonly Word[], streams: Streams): Steps<string[]> {
  const fields: string[] = [];
  let chars = 0;
  for (const word of words) {
    const pieces = yield* piecesOf(session, word, streams);
    for (const field of splitFields(session, pieces)) {
      for (const name of matchFiles(session, field)) {
        chars += name.length;
        fields.push(name);
      }
    }
    const { textChars, words: maxWords } = session.host.limits;
    if (chars > textChars || fields.length > maxWords) throw new OverLimit('argument list too long');
  }
  return fields;
}

/** A word as one text, without splitting: assignments, redirections, `case`. */
export function* expandText(session: ShellSession, word: Word, streams: Streams): Steps<string> {
  const pieces = yield* piecesOf(session, word, streams);
  return pieces.map((piece) => (piece.breakBefore === true ? ` ${piece.text}` : piece.text)).join('');
}

/** A word as a pattern: what was quoted is matched literally. */
export function* expandPattern(session: ShellSession, word: Word, streams: Streams): Steps<string> {
  const pieces = yield* piecesOf(session, word, streams);
  return pieces.map((piece) => (piece.quoted ? quotePattern(piece.text) : piece.text)).join('');
}

function* piecesOf(session: ShellSession, word: Word, streams: Streams): Steps<Piece[]> {
  const pieces: Piece[] = [];
  let chars = 0;
  for (const part of word.parts) {
    for (const piece of yield* piecesOfPart(session, part, streams)) {
      chars += piece.text.length;
      if (chars > session.host.limits.textChars) throw new OverLimit('word too long');
      pieces.push(piece);
    }
  }
  return pieces;
}

function* piecesOfPart(session: ShellSession, part: WordPart, streams: Streams): Steps<readonly Piece[]> {
  switch (part.kind) {
    case 'text':
      return [{ text: part.text, quoted: part.quoted }];
    case 'command':
      return [{ text: yield* substitute(session, part.list, streams), quoted: part.quoted }];
    case 'arithmetic': {
      const expression = yield* expandText(session, part.expression, streams);
      return [{ text: String(evaluateArithmetic(expression, session.variables)), quoted: true }];
    }
    case 'variable':
      return yield* variable(session, part, streams);
  }
}

/** Runs a list in a subshell; its output without trailing newlines. */
function* substitute(session: ShellSession, list: List, streams: Streams): Steps<string> {
  const output = new Collector(session.host.limits.outputBytes);
  const inner = session.fork();
  inner.guarded = 0;
  try {
    yield* session.host.runList(inner, list, { stdin: InputStream.empty(), stdout: output, stderr: streams.stderr });
    session.status = inner.status;
  } catch (signal) {
    if (!(signal instanceof ExitSignal)) throw signal;
    session.status = signal.exitCode;
  }
  return decode(output.bytes()).replace(/\n+$/, '');
}

type VariablePart = Extract<WordPart, { kind: 'variable' }>;

function* variable(session: ShellSession, part: VariablePart, streams: Streams): Steps<readonly Piece[]> {
  if ((part.name === '@' || part.name === '*') && part.operator === undefined) {
    if (part.name === '*' && part.quoted) return [{ text: session.parameters.join(' '), quoted: true }];
    return session.parameters.map((text, index) => ({ text, quoted: part.quoted, breakBefore: index > 0 }));
  }
  const value = lookUp(session, part.name);
  const text = yield* applyOperator(session, part, value, streams);
  if (text === undefined && session.options.nounset && part.operator === undefined) {
    print(streams.stderr, `${session.name}: ${part.name}: parameter not set\n`);
    throw new ExitSignal(2);
  }
  return [{ text: text ?? '', quoted: part.quoted }];
}

/** The value of a variable or parameter, undefined when it is not set. */
export function lookUp(session: ShellSession, name: string): string | undefined {
  switch (name) {
    case '?':
      return String(session.status);
    case '#':
      return String(session.parameters.length);
    case '$':
      return '1';
    case '!':
      return '';
    case '-':
      return session.options.errexit ? 'e' : '';
    case '0':
      return session.name;
    case '@':
    case '*':
      return session.parameters.join(' ');
    case 'PWD':
      return session.cwd;
    default:
      return /^\d+$/.test(name) ? session.parameters[Number(name) - 1] : session.variables.get(name);
  }
}

function* applyOperator(
  session: ShellSession,
  part: VariablePart,
  value: string | undefined,
  streams: Streams,
): Steps<string | undefined> {
  const { operator, argument = { parts: [] } } = part;
  if (operator === undefined) return value;
  if (operator === 'length') return String((value ?? '').length);
  const missing = operator.startsWith(':') ? value === undefined || value === '' : value === undefined;
  switch (operator) {
    case ':-':
    case '-':
      return missing ? yield* expandText(session, argument, streams) : value;
    case ':=':
    case '=': {
      if (!missing) return value;
      const text = yield* expandText(session, argument, streams);
      session.variables.set(part.name, text);
      return text;
    }
    case ':+':
    case '+':
      return missing ? '' : yield* expandText(session, argument, streams);
    case ':?':
    case '?': {
      if (!missing) return value;
      const text = yield* expandText(session, argument, streams);
      print(streams.stderr, `${session.name}: ${part.name}: ${text === '' ? 'parameter null or not set' : text}\n`);
      throw new ExitSignal(2);
    }
    default:
      return yield* cut(session, { operator, argument, value: value ?? '' }, streams);
  }
}

interface Cut {
  readonly operator: string;
  readonly argument: Word;
  readonly value: string;
}

function* cut(session: ShellSession, { operator, argument, value }: Cut, streams: Streams): Steps<string> {
  const pattern = yield* expandPattern(session, argument, streams);
  switch (operator) {
    case '#':
    case '##':
      return cutPrefix(value, pattern, operator === '##');
    case '%':
    case '%%':
      return cutSuffix(value, pattern, operator === '%%');
    default: {
      const slash = pattern.indexOf('/');
      const search = slash < 0 ? pattern : pattern.slice(0, slash);
      const replacement = slash < 0 ? '' : pattern.slice(slash + 1).replaceAll('\\', '');
      return replacePattern(value, search, replacement, operator === '//');
    }
  }
}

interface Field {
  text: string;
  /** The same with quoted characters escaped, for matching against files. */
  pattern: string;
}

/** Splits unquoted pieces at blanks (the default IFS); quoted ones stay whole. */
function splitFields(session: ShellSession, pieces: readonly Piece[]): Field[] {
  const separators = session.variables.get('IFS') ?? ' \t\n';
  const fields: Field[] = [];
  let current: Field | undefined;
  const open = (): Field => {
    current ??= { text: '', pattern: '' };
    return current;
  };
  const close = (): void => {
    if (current !== undefined) fields.push(current);
    current = undefined;
  };
  for (const piece of pieces) {
    if (piece.breakBefore === true) close();
    if (piece.quoted) {
      const field = open();
      field.text += piece.text;
      field.pattern += quotePattern(piece.text);
      continue;
    }
    for (const char of piece.text) {
      if (separators.includes(char)) {
        close();
      } else {
        const field = open();
        field.text += char;
        field.pattern += char;
      }
    }
  }
  close();
  return fields;
}

/** The files that a pattern matches, sorted; the pattern itself when there is none. */
function matchFiles(session: ShellSession, field: Field): string[] {
  if (!isPattern(field.pattern.replace(/\\./g, ''))) return [field.text];
  const absolute = field.pattern.startsWith('/');
  let found = [absolute ? '/' : ''];
  for (const part of field.pattern.split('/').filter((each) => each !== '')) {
    found = found.flatMap((base) => matchIn(session, base, part));
    if (found.length > 10_000) break;
  }
  return found.length === 0 ? [field.text] : found;
}

function matchIn(session: ShellSession, base: string, pattern: string): string[] {
  try {
    const names = session.host.files.list(session.path(base === '' ? '.' : base));
    return names
      .filter((name) => matchesGlob(pattern, name) && (pattern.startsWith('.') || !name.startsWith('.')))
      .map((name) => (base === '' || base.endsWith('/') ? base + name : `${base}/${name}`));
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
