import { describe, expect, it } from 'vitest';
import { lineHeights, visibleLines } from './line-heights';

const lines = (...lengths: number[]) =>
  lengths.map((length, key) => ({ key, source: 0, time: '', text: 'x'.repeat(length) }));

describe('visibleLines', () => {
  it('draws what is in view, and keeps the height of the rest', () => {
    const heights = lineHeights(lines(...Array(100_000).fill(10)), undefined);
    const { first, last, before, after } = visibleLines(heights, 1_000_000, 600);
    expect([first, last]).toEqual([49_980, 50_051]);
    expect(before + (last - first) * 20 + after).toBe(2_000_000);
    expect(visibleLines(heights, 0, 600)).toMatchObject({ first: 0, before: 0 });
    expect(visibleLines(heights, 2_000_000 - 600, 600)).toMatchObject({ last: 100_000, after: 0 });
  });

  it('knows lines that take several rows, and an empty log', () => {
    const heights = lineHeights(lines(5, 25, 0, 100), 10);
    expect([0, 1, 2, 3, 4].map(heights.top)).toEqual([0, 20, 80, 100, 300]);
    expect([heights.at(79), heights.at(80), heights.at(299)]).toEqual([1, 2, 3]);
    expect(visibleLines(lineHeights([], 10), 0, 600)).toEqual({ first: 0, last: 0, before: 0, after: 0 });
  });
});
