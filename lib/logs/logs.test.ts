import { describe, expect, it } from 'vitest';
import { safePattern } from '@/lib/schema/safe-pattern';
import { LogBook, type LogLine } from './log-book';
import { LogSearch, nextMatch, patternMatcher, textMatcher } from './log-search';

const stamp = (second: number) => `2026-11-29T01:00:${String(second).padStart(2, '0')}.000000000Z`;
const shown = (lines: readonly LogLine[]) => lines.map(({ source, text }) => `${source} ${text}`);

describe('LogBook', () => {
  it('joins pieces to lines, and logs by their time, also when an older one comes later', () => {
    const book = new LogBook(100);
    book.add(0, `${stamp(1)} one\n${stamp(5)} fi`);
    expect(shown(book.draw())).toEqual(['0 one']);
    book.add(0, `ve\r\n`);
    book.add(1, `${stamp(2)} two\n${stamp(4)} four\n${stamp(6)} six`);
    expect(shown(book.draw())).toEqual(['0 one', '1 two', '1 four', '0 five']);
    book.add(0, `${stamp(3)} three\n`);
    book.end(1);
    expect(shown(book.draw())).toEqual(['0 one', '1 two', '0 three', '1 four', '0 five', '1 six']);
  });

  it('keeps the newest lines and counts the others; lines without a time stay where they came', () => {
    const book = new LogBook(3);
    book.add(0, 'a\nb\n');
    book.draw();
    book.add(0, 'c\nd\n\n');
    expect(shown(book.draw())).toEqual(['0 c', '0 d', '0 ']);
    expect([book.dropped, book.hasNew]).toEqual([2, false]);
  });

  it('leaves out what is later than the end of the range', () => {
    const book = new LogBook(10, Date.parse(stamp(3)));
    book.add(0, `${stamp(2)} in\n${stamp(4)} out\n`);
    expect(shown(book.draw())).toEqual(['0 in']);
  });

  it('takes 100,000 lines, searches them at once, and looks at new ones only after that', () => {
    const book = new LogBook(100_000);
    const many = Array.from(
      { length: 100_000 },
      (_, at) => `${stamp(at % 60)} request ${at} GET /api/items took ${at % 97} ms\n`,
    );
    book.add(0, many.join(''));
    const lines = book.draw();
    let looked = 0;
    const matcher = textMatcher('took 96 ms');
    const search = new LogSearch({ ...matcher, matches: (text) => ++looked > 0 && matcher.matches(text) });
    expect(search.indexes(lines)).toHaveLength(1_030);
    book.add(0, `${stamp(59)} took 96 ms at the end\n`);
    expect(search.indexes(book.draw())).toHaveLength(1_031);
    expect(looked).toBe(100_001);
  });
});

describe('matchers', () => {
  it('find a text in any case, unless it has a capital letter', () => {
    expect(textMatcher('error').parts('Error, ERROR')).toEqual([
      { from: 0, to: 5 },
      { from: 7, to: 12 },
    ]);
    expect(textMatcher('Error').matches('an error')).toBe(false);
  });

  it('find a pattern, and never loop on one that finds nothing', () => {
    const pattern = safePattern('(?i)err(or)?|x*');
    if (pattern === undefined) throw new Error('no pattern');
    expect(patternMatcher(pattern).parts('an ERR xx')).toEqual([
      { from: 3, to: 6 },
      { from: 7, to: 9 },
    ]);
  });

  it('match a line by a pattern exactly when the pattern has a place in it', () => {
    const texts = ['an ERR xx', 'größe 12 MB', '🚀 started', '', 'a\tb', 'Error: İstanbul'];
    for (const text of [
      '(?i)err',
      '\\bß',
      '🚀.s',
      '^$',
      '^a',
      'b$',
      '(?i)i̇s',
      '\\d+ m',
      '[[:upper:]]{2}',
      '\\p{Lu}s',
    ]) {
      const pattern = safePattern(text);
      if (pattern === undefined) throw new Error(text);
      const matcher = patternMatcher(pattern);
      expect(texts.map(matcher.matches)).toEqual(texts.map((each) => pattern.matcher(each).find()));
    }
  });

  it('go to the next and the previous place, around the end', () => {
    expect([nextMatch([2, 5], undefined, 1), nextMatch([2, 5], 2, 1), nextMatch([2, 5], 5, 1)]).toEqual([2, 5, 2]);
    expect([nextMatch([2, 5], undefined, -1), nextMatch([2, 5], 5, -1), nextMatch([], 5, -1)]).toEqual([
      5,
      2,
      undefined,
    ]);
  });
});
