import { limits } from '@/lib/limits/limits';
import { evaluateArithmetic } from './arithmetic';
import { FileError } from './file-tree';
import { Collector, decode, InputStream, OverLimit, print } from './io';
import { cutPattern, isPattern, matchesGlob, quotePattern } from './pattern';
import type { Steps } from './process';
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
export function* expandWords(session: ShellSession, words: readonly Word[]): Steps<string[]> {
  const fields: string[] = [];
  let chars = 0;
  for (const word of words) {
    for (const field of splitFields(session, yield* piecesOf(session, word))) {
      for (const name of matchFiles(session, field)) {
        chars += name.length;
        fields.push(name);
      }
    }
    if (chars > limits.shellTextChars || fields.length > limits.shellWords)
      throw new OverLimit('argument list too long');
  }
  return fields;
}

/** A word as one text, without splitting: assignments, redirections, `case`. */
export function* expandText(session: ShellSession, word: Word): Steps<string> {
  const pieces = yield* piecesOf(session, word);
  return pieces.map((piece) => (piece.breakBefore === true ? ` ${piece.text}` : piece.text)).join('');
}

/** A word as a pattern: what was quoted is matched literally. */
export function* expandPattern(session: ShellSession, word: Word): Steps<string> {
  const pieces = yield* piecesOf(session, word);
  return pieces.map((piece) => (piece.quoted ? quotePattern(piece.text) : piece.text)).join('');
}

function* piecesOf(session: ShellSession, word: Word): Steps<Piece[]> {
  const pieces: Piece[] = [];
  let chars = 0;
  for (const part of word) {
    for (const piece of yield* piecesOfPart(session, part)) {
      chars += piece.text.length;
      if (chars > limits.shellTextChars) throw new OverLimit('word too long');
      pieces.push(piece);
    }
  }
  return pieces;
}

function* piecesOfPart(session: ShellSession, part: WordPart): Steps<readonly Piece[]> {
  switch (part.kind) {
    case 'text':
      return [part];
    case 'command':
      return [{ text: yield* substitute(session, part.list), quoted: part.quoted }];
    case 'arithmetic': {
      const expression = yield* expandText(session, part.expression);
      return [{ text: String(evaluateArithmetic(expression, session.variables)), quoted: true }];
    }
    case 'variable':
      return yield* variable(session, part);
  }
}

/** Runs a list in a subshell; its output without trailing newlines. */
function* substitute(session: ShellSession, list: List): Steps<string> {
  const stdout = new Collector();
  const inner = session.fork({ stdin: new InputStream(), stdout });
  inner.guarded = 0;
  try {
    session.status = yield* session.host.runList(inner, list);
  } catch (signal) {
    if (!(signal instanceof ExitSignal)) throw signal;
    session.status = signal.exitCode;
  }
  return decode(stdout.bytes()).replace(/\n+$/, '');
}

type VariablePart = Extract<WordPart, { kind: 'variable' }>;

function* variable(session: ShellSession, part: VariablePart): Steps<readonly Piece[]> {
  const { name, quoted, operator } = part;
  if (operator === undefined && (name === '@' || (name === '*' && !quoted))) {
    return session.parameters.map((text, index) => ({ text, quoted, breakBefore: index > 0 }));
  }
  const value = lookUp(session, name);
  const text = operator === undefined ? value : yield* applyOperator(session, part, operator, value);
  if (text === undefined && session.options.nounset && operator === undefined) {
    fail(session, name, 'parameter not set');
  }
  return [{ text: text ?? '', quoted }];
}

function fail(session: ShellSession, name: string, problem: string): never {
  print(session.streams.stderr, `${session.name}: ${name}: ${problem}\n`);
  throw new ExitSignal(2);
}

/** The value of a variable or parameter, undefined when it is not set. */
function lookUp(session: ShellSession, name: string): string | undefined {
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
  { name, argument = [] }: VariablePart,
  operator: string,
  value: string | undefined,
): Steps<string | undefined> {
  if (operator === 'length') return String((value ?? '').length);
  if (/^[#%]/.test(operator)) return cutPattern(value ?? '', yield* expandPattern(session, argument), operator);
  const isMissing = value === undefined || (value === '' && operator.startsWith(':'));
  const action = operator.at(-1);
  if (isMissing === (action === '+')) return isMissing ? '' : value;
  const text = yield* expandText(session, argument);
  if (action === '=') session.variables.set(name, text);
  if (action === '?') fail(session, name, text === '' ? 'parameter null or not set' : text);
  return text;
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
  const add = (text: string, pattern: string): void => {
    if (current === undefined) {
      current = { text: '', pattern: '' };
      fields.push(current);
    }
    current.text += text;
    current.pattern += pattern;
  };
  for (const { text, quoted, breakBefore } of pieces) {
    if (breakBefore === true) current = undefined;
    if (quoted) add(text, quotePattern(text));
    else {
      for (const char of text) {
        if (separators.includes(char)) current = undefined;
        else add(char, char);
      }
    }
  }
  return fields;
}

/** The files that a pattern matches, sorted; the pattern itself when there is none. */
function matchFiles(session: ShellSession, { text, pattern }: Field): string[] {
  if (!isPattern(pattern)) return [text];
  let found = [pattern.startsWith('/') ? '/' : ''];
  for (const part of pattern.split('/').filter((each) => each !== '')) {
    found = found.flatMap((base) => matchIn(session, base, part));
    if (found.length > 10_000) break;
  }
  return found.length === 0 ? [text] : found;
}

function matchIn(session: ShellSession, base: string, pattern: string): string[] {
  try {
    return session.host.files
      .list(session.path(base))
      .filter((name) => matchesGlob(pattern, name) && (pattern.startsWith('.') || !name.startsWith('.')))
      .map((name) => (base === '' || base.endsWith('/') ? base + name : `${base}/${name}`));
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
