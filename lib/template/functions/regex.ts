import { type Matcher, RE2JS, RE2JSException } from 're2js';
import { canBackquote, quote } from '../format/quote';
import { GoError } from '../template-error';
import { isAscii, RUNE_ERROR, runesOf, toBytes, toText } from '../value/bytes';
import { STRING_SLICE } from '../value/types';
import { splitRunes } from '../value/unicode';
import { GoSlice, strings, type Value } from '../value/value';
import { type CallContext, fn, type GoFunctionTable } from './define';
import { expandTemplate, withoutRepeatedNames } from './regex-expand';

/**
 * Sprig's regex.go over RE2 (re2js), which takes time linear in the text; the platform's engine never runs a package's
 * pattern. Matching happens on UTF-16 text; a byte that is not UTF-8 is a lone surrogate there.
 */
export const regexFunctions: GoFunctionTable = {
  regexMatch: fn(['string', 'string'], (context, pattern, text) => {
    const compiledPattern = tryCompile(pattern);
    return typeof compiledPattern === 'string' ? false : search(context, compiledPattern, text).test();
  }),
  mustRegexMatch: fn(['string', 'string'], (context, pattern, text) =>
    search(context, compilePattern(pattern), text).test(),
  ),
  ...pair('Find', (compile) =>
    fn(['string', 'string'], (context, pattern, text) => search(context, compile(pattern), text).first()),
  ),
  ...pair('FindAll', (compile) =>
    fn(['string', 'string', 'int'], (context, pattern, text, count) =>
      matchList(search(context, compile(pattern), text).all(count)),
    ),
  ),
  ...pair('ReplaceAll', (compile) =>
    fn(['string', 'string', 'string'], (context, pattern, text, by) =>
      search(context, compile(pattern), text).replace((matcher, names) => expandTemplate(toUtf16(by), matcher, names)),
    ),
  ),
  ...pair('ReplaceAllLiteral', (compile) =>
    fn(['string', 'string', 'string'], (context, pattern, text, by) =>
      search(context, compile(pattern), text).replace(() => toUtf16(by)),
    ),
  ),
  ...pair('Split', (compile) =>
    fn(['string', 'string', 'int'], (context, pattern, text, count) =>
      splitList(search(context, compile(pattern), text).split(count)),
    ),
  ),
  regexQuoteMeta: fn(['string'], (_, text) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
};

type Compile = (pattern: string) => RE2JS;

/** `regexX` panics with the pattern where `mustRegexX` returns the plain error. */
function pair(name: string, make: (compile: Compile) => GoFunctionTable[string]): GoFunctionTable {
  const quoted: Compile = (pattern) => {
    try {
      return compilePattern(pattern);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      const shown = canBackquote(pattern) ? `\`${pattern}\`` : quote(pattern);
      throw new GoError(`regexp: Compile(${shown}): ${error.message}`);
    }
  };
  return Object.fromEntries([
    [`regex${name}`, make(quoted)],
    [`mustRegex${name}`, make(compilePattern)],
  ]);
}

const compiled = new Map<string, RE2JS>();
const MAX_COMPILED = 200;
const MAX_PATTERN = 10_000;

function compilePattern(pattern: string): RE2JS {
  const made = tryCompile(pattern);
  if (typeof made === 'string') throw new GoError(made);
  return made;
}

/** The pattern, or RE2's error message. */
function tryCompile(pattern: string): RE2JS | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MAX_PATTERN) return 'error parsing regexp: expression too large';
  const rest = invalidRest(pattern);
  if (rest !== '') return `error parsing regexp: invalid UTF-8: \`${rest}\``;
  let made: RE2JS;
  try {
    made = RE2JS.compile(withoutRepeatedNames(toUtf16(pattern)));
  } catch (error) {
    if (error instanceof RE2JSException) return toBytes(error.message.replace(/^(.*trailing backslash.*n)$/, '$1: ``'));
    throw error;
  }
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** A pattern from its first byte on that is not UTF-8. */
function invalidRest(pattern: string): string {
  if (isAscii(pattern) || toText(pattern) !== undefined) return '';
  let at = 0;
  for (const part of splitRunes(pattern)) {
    if (part.length === 1 && part >= '\x80') break;
    at += part.length;
  }
  return pattern.slice(at);
}

/** Bytes that are not UTF-8 become lone surrogates U+DC80 to U+DCFF. */
function toUtf16(bytes: string): string {
  if (isAscii(bytes)) return bytes;
  const text = toText(bytes);
  if (text !== undefined) return text;
  return splitRunes(bytes)
    .map((part) => {
      const isRaw = part.length === 1 && part >= '\x80' && runesOf(part)[0] === RUNE_ERROR;
      return isRaw ? String.fromCharCode(0xdc00 + part.charCodeAt(0)) : (toText(part) ?? part);
    })
    .join('');
}

function fromUtf16(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(/[^\udc80-\udcff]+|[\udc80-\udcff]/gu, (part) =>
    part.length === 1 && part >= '\udc80' && part <= '\udcff'
      ? String.fromCharCode(part.charCodeAt(0) - 0xdc00)
      : toBytes(part),
  );
}

/** Go's walk over the matches of a text: an empty match right after another one does not count. */
class Search {
  private readonly text: string;
  private readonly matcher: Matcher;

  constructor(
    private readonly context: CallContext,
    private readonly pattern: RE2JS,
    bytes: string,
  ) {
    this.text = toUtf16(bytes);
    this.matcher = pattern.matcher(this.text);
    this.charge(this.text.length);
  }

  /** The engine's work grows with the text and the size of the pattern's program. */
  private charge(length: number): void {
    this.context.budget.step(1 + Math.ceil((length * this.pattern.programSize()) / 512));
  }

  test(): boolean {
    return this.matcher.find(0);
  }

  first(): string {
    return this.matcher.find(0) ? fromUtf16(this.matcher.group(0) ?? '') : '';
  }

  private widthAt(at: number): number {
    if (at >= this.text.length) return 0;
    return (this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }

  /** Start and end of at most `count` matches; all when it is negative. */
  private spans(count: number): (readonly [number, number])[] {
    const found: (readonly [number, number])[] = [];
    const limit = count < 0 ? this.text.length + 1 : count;
    let previousEnd = -1;
    for (let at = 0; found.length < limit && at <= this.text.length; ) {
      if (!this.matcher.find(at)) break;
      this.context.budget.step();
      const [start, end] = [this.matcher.start(0), this.matcher.end(0)];
      let accept = true;
      if (end === at) {
        if (start === previousEnd) accept = false;
        const width = this.widthAt(at);
        at = width > 0 ? at + width : this.text.length + 1;
      } else at = end;
      previousEnd = end;
      if (accept) found.push([start, end]);
    }
    return found;
  }

  all(count: number): string[] {
    return this.spans(count).map(([start, end]) => fromUtf16(this.text.slice(start, end)));
  }

  /** Go's Regexp.Split; undefined is a nil slice. */
  split(count: number): string[] | undefined {
    if (count === 0) return undefined;
    if (this.pattern.pattern() !== '' && this.text === '') return [''];
    const parts: string[] = [];
    let [begin, end] = [0, 0];
    for (const span of this.spans(count)) {
      if (count > 0 && parts.length === count - 1) break;
      end = span[0];
      if (span[1] !== 0) parts.push(fromUtf16(this.text.slice(begin, end)));
      begin = span[1];
    }
    if (end !== this.text.length) parts.push(fromUtf16(this.text.slice(begin)));
    return parts;
  }

  replace(by: (matcher: Matcher, names: ReadonlyMap<string, number>) => string): string {
    const names = new Map(Object.entries(this.pattern.namedGroups()));
    let result = '';
    let lastEnd = 0;
    for (let at = 0; at <= this.text.length; ) {
      if (!this.matcher.find(at)) break;
      this.context.budget.step();
      const [start, end] = [this.matcher.start(0), this.matcher.end(0)];
      result += this.text.slice(lastEnd, start);
      if (end > lastEnd || start === 0) result += by(this.matcher, names);
      this.context.budget.allocate(Math.max(0, start - lastEnd));
      if (result.length > 65_536) this.context.budget.allocate(result.length >> 4);
      lastEnd = end;
      const width = this.widthAt(at);
      at = at + width > end ? at + width : at + 1 > end ? at + 1 : end;
    }
    return fromUtf16(result + this.text.slice(lastEnd));
  }
}

function search(context: CallContext, pattern: RE2JS, text: string): Search {
  return new Search(context, pattern, text);
}

function matchList(found: readonly string[]): Value {
  return found.length === 0 ? new GoSlice(STRING_SLICE, [], true) : strings(found);
}

function splitList(parts: readonly string[] | undefined): Value {
  return parts === undefined ? new GoSlice(STRING_SLICE, [], true) : strings(parts);
}
