import { type Cursor, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isWord, type Mark } from './cursor';

const AFTER_ANCHOR = new Set([...'?:,]}%@`'].map((each) => each.charCodeAt(0)));

/** The name after `&` or `*`. */
export function scanAnchor(cursor: Cursor): string {
  const start = cursor.mark();
  cursor.skip();
  const name = scanWord(cursor);
  if (name === '' || !(isBlankOrEnd(cursor.code()) || AFTER_ANCHOR.has(cursor.code()))) {
    throw cursor.error('did not find expected alphabetic or numeric character', start);
  }
  return name;
}

function scanWord(cursor: Cursor): string {
  const from = cursor.index;
  while (isWord(cursor.code())) cursor.skip();
  return cursor.since(from);
}

/** A tag as it is written: `handle` is empty for `!<…>` and for `!` alone. */
export interface WrittenTag {
  readonly handle: string;
  readonly suffix: string;
}

export function scanTag(cursor: Cursor): WrittenTag {
  const start = cursor.mark();
  const tag = cursor.code(1) === 0x3c ? scanVerbatimTag(cursor, start) : scanShortTag(cursor, start);
  if (!isBlankOrEnd(cursor.code())) throw cursor.error('did not find expected whitespace or line break', start);
  return tag;
}

function scanVerbatimTag(cursor: Cursor, start: Mark): WrittenTag {
  cursor.skip(2);
  const suffix = scanUri(cursor, '', start);
  if (cursor.code() !== 0x3e) throw cursor.error("did not find the expected '>'", start);
  cursor.skip();
  return { handle: '', suffix };
}

function scanShortTag(cursor: Cursor, start: Mark): WrittenTag {
  const handle = scanHandle(cursor, start, 'tag');
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanUri(cursor, '', start) };
  const suffix = scanUri(cursor, handle, start);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function scanHandle(cursor: Cursor, start: Mark, place: 'tag' | 'directive'): string {
  const from = cursor.index;
  if (cursor.code() !== 0x21) throw cursor.error("did not find expected '!'", start);
  cursor.skip();
  scanWord(cursor);
  if (cursor.code() === 0x21) cursor.skip();
  else if (place === 'directive' && cursor.since(from) !== '!') throw cursor.error("did not find expected '!'", start);
  return cursor.since(from);
}

const URI = new Set([...";/?:@&=+$,.!~*'()[]%"].map((each) => each.charCodeAt(0)));

/** `head` is a handle whose letters turned out to be the beginning of the name. */
function scanUri(cursor: Cursor, head: string, start: Mark): string {
  let uri = head.slice(1);
  let hasUri = head !== '';
  while (isWord(cursor.code()) || URI.has(cursor.code())) {
    if (cursor.code() === 0x25) uri += scanUriEscapes(cursor, start);
    else {
      uri += String.fromCharCode(cursor.code());
      cursor.skip();
    }
    hasUri = true;
  }
  if (!hasUri) throw cursor.error('did not find expected tag URI', start);
  return uri;
}

/** One character as `%` and two digits a byte. */
function scanUriEscapes(cursor: Cursor, start: Mark): string {
  const from = cursor.index;
  const width = widthOf(readOctet(cursor, start));
  if (width === 0) throw cursor.error('found an incorrect leading UTF-8 octet', start);
  cursor.skip(3);
  for (let left = width - 1; left > 0; left--) {
    const isTrailing = (readOctet(cursor, start) & 0xc0) === 0x80;
    if (!isTrailing) throw cursor.error('found an incorrect trailing UTF-8 octet', start);
    cursor.skip(3);
  }
  const escaped = cursor.since(from);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

/** The value of `%` and two digits at the cursor, which stays. */
function readOctet(cursor: Cursor, start: Mark): number {
  const written = String.fromCharCode(cursor.code(), cursor.code(1), cursor.code(2));
  if (!/^%[0-9a-fA-F]{2}$/.test(written)) throw cursor.error('did not find URI escaped octet', start);
  return Number.parseInt(written.slice(1), 16);
}

/** The octets of a character by its first one; 0 when none begins with it. */
function widthOf(octet: number): 0 | 1 | 2 | 3 | 4 {
  if (octet < 0x80) return 1;
  if (octet < 0xc0 || octet >= 0xf8) return 0;
  return octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4;
}

export type Directive =
  | { readonly name: 'YAML'; readonly version: string }
  | { readonly name: 'TAG'; readonly handle: string; readonly prefix: string };

/** A line that begins with `%`. */
export function scanDirective(cursor: Cursor): Directive {
  const start = cursor.mark();
  cursor.skip();
  const name = scanWord(cursor);
  if (name === '') throw cursor.error('could not find expected directive name', start);
  if (!isBlankOrEnd(cursor.code())) throw cursor.error('found unexpected non-alphabetical character', start);
  if (name !== 'YAML' && name !== 'TAG') throw cursor.error('found unknown directive name', start);
  cursor.skipBlanks();
  const directive: Directive =
    name === 'YAML' ? { name, version: scanVersion(cursor, start) } : scanPrefix(cursor, start);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.code())) throw cursor.error('did not find expected comment or line break', start);
  if (isBreak(cursor.code())) cursor.takeBreak();
  return directive;
}

function scanVersion(cursor: Cursor, start: Mark): string {
  const major = scanNumber(cursor, start);
  if (cursor.code() !== 0x2e) throw cursor.error("did not find expected digit or '.' character", start);
  cursor.skip();
  return `${major}.${scanNumber(cursor, start)}`;
}

function scanNumber(cursor: Cursor, start: Mark): number {
  const from = cursor.index;
  while (cursor.code() >= 0x30 && cursor.code() <= 0x39) {
    if (cursor.index - from === 2) throw cursor.error('found extremely long version number', start);
    cursor.skip();
  }
  if (cursor.index === from) throw cursor.error('did not find expected version number', start);
  return Number(cursor.since(from));
}

function scanPrefix(cursor: Cursor, start: Mark): Directive {
  const handle = scanHandle(cursor, start, 'directive');
  if (!isBlank(cursor.code())) throw cursor.error('did not find expected whitespace', start);
  cursor.skipBlanks();
  const prefix = scanUri(cursor, '', start);
  if (!isBlankOrEnd(cursor.code())) throw cursor.error('did not find expected whitespace or line break', start);
  return { name: 'TAG', handle, prefix };
}
