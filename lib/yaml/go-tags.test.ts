import { describe, expect, it } from 'vitest';
import { readWholeYaml } from './yaml';

/** A plain scalar, and its value in gopkg.in/yaml.v2. */
const SCALARS: readonly (readonly [text: string, value: unknown])[] = [
  ...['e2', 'E5', '.e2', '.', '-.', '-.e1', 'e+1', '+e3', '_1', '1e', '0x', '1e400'].map(
    (text) => [text, text] as const,
  ),
  ...['1:2', '22:22', '12:30:45', '2001-01-01'].map((text) => [text, text] as const),
  ['.5', 0.5],
  ['5.', 5],
  ['-1.5', -1.5],
  ['1e5', 100_000],
  ['1.e5', 100_000],
  ['1e_5', 100_000],
  ['1_000.5', 1000.5],
  ['1_000', 1000],
  ['08', 8],
  ['010', 8],
  ['0o17', 15],
  ['0x1F', 31],
  ['-0b11', -3],
  ['yes', true],
  ['~', null],
];

describe('plain scalars as Go reads them', () => {
  it.each(SCALARS)('%s', (text, value) => {
    expect(readWholeYaml(`{a: ${text}}`)).toEqual({ ok: true, value: { a: value } });
    expect(readWholeYaml(`- ${text}`)).toEqual({ ok: true, value: [value] });
  });

  it.each(['.inf', '-.Inf', '.nan'])('%s is not JSON', (text) => {
    expect(readWholeYaml(`a: ${text}`).ok).toBe(false);
  });
});
