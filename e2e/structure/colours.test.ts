import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '@/server/runtime/root';

/**
 * The contrast of the colour tokens, computed: axe sees only the pairs that a page happens to show. WCAG 2.2: text has 4.5:1, and 7:1 with more
 * contrast, where lines have 3:1 as well.
 */

const css = readFileSync(join(projectRoot, 'app/globals.css'), 'utf8');
const PAIR = /--color-([\w-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\);/g;

const SCHEMES = ['light', 'dark'] as const;
const GROUNDS = ['ground', 'surface', 'sunken', 'raised'];
const STATES = ['accent', 'ok', 'run', 'wait', 'fail', 'hold', 'idle'];
const TEXT = ['ink', 'ink-2', 'ink-3', 'accent-strong', ...STATES];
const LINES = ['line', 'line-strong'];

type Luminances = ReadonlyMap<string, readonly [light: number, dark: number]>;

/** Relative luminance of `oklch(L C H)` as WCAG defines it. Matrices: CSS Color 4, oklab to linear sRGB; the result is clipped as a screen does. */
function luminance(lch: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = lch.trim().split(/\s+/).map(Number);
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function tokensOf(text: string): Luminances {
  return new Map(
    [...text.matchAll(PAIR)].map(([, name = '', light = '', dark = '']) => [name, [luminance(light), luminance(dark)]]),
  );
}

const split = css.indexOf('@variant more-contrast');
const normal = tokensOf(css.slice(0, split));
const more: Luminances = new Map([...normal, ...tokensOf(css.slice(split, css.indexOf('\n}', split)))]);

/** The pairs with less contrast than asked for, a line each. */
function tooClose(tokens: Luminances, fronts: readonly string[], backs: readonly string[], least: number): string[] {
  return SCHEMES.flatMap((scheme, at) =>
    fronts.flatMap((front) =>
      backs.flatMap((back) => {
        const [one, other] = [tokens.get(front)?.[at], tokens.get(back)?.[at]];
        if (one === undefined || other === undefined) return [`${front} or ${back} is not a token`];
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        return ratio < least ? [`${scheme}: ${front} on ${back} has ${ratio.toFixed(2)}`] : [];
      }),
    ),
  );
}

describe.each([
  { name: 'normal contrast', tokens: normal, text: 4.5, line: 1 },
  { name: 'more contrast', tokens: more, text: 7, line: 3 },
])('colours with $name', ({ tokens, text, line }) => {
  it(`give text ${text}:1 on every background`, () => {
    expect(tooClose(tokens, TEXT, GROUNDS, text)).toEqual([]);
  });

  it(`give each state ${text}:1 on its own soft background`, () => {
    expect(STATES.flatMap((state) => tooClose(tokens, [state, 'ink'], [`${state}-soft`], text))).toEqual([]);
  });

  it(`give the label of a main button ${text}:1`, () => {
    expect(tooClose(tokens, ['on-accent'], ['accent', 'accent-strong'], text)).toEqual([]);
  });

  it(`give lines ${line}:1`, () => {
    expect(tooClose(tokens, LINES, GROUNDS, line)).toEqual([]);
  });
});
