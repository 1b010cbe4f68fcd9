import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { goldenText } from '@/test/golden/golden-files';
import { defaultText } from './default-text';
import { parsePackage } from './parse-package';
import { parameterOf } from './to-objects';

interface Case {
  id: string;
  declaration?: string;
  wrapped?: string | null;
}

describe('defaults as text', () => {
  it.each<[JsonValue, string, string]>([
    [-0, 'string', '-0'],
    [2 ** 63, 'map', '9223372036854776000\n'],
    ['2020-02-30', 'map', '2020-02-30\n'],
    ['1e400', 'array', '1e400\n'],
    [{ '\u{1f600}': 1, '\uffee': 2 }, 'string', 'map[\uffee:2 \u{1f600}:1]'],
  ])('write %j of type %s as %j', (value, type, text) => {
    expect(defaultText(value, type)).toBe(text);
  });

  it('equal those of KUDO for every declaration of the golden file', () => {
    const { cases } = JSON.parse(goldenText('templates', 'params.json')) as { cases: Case[] };
    const complete = cases.filter(({ declaration, wrapped }) => declaration !== undefined && wrapped !== undefined);
    expect(complete.length).toBeGreaterThan(100);
    const wrong = complete.flatMap(({ id, declaration = '', wrapped }) => {
      const text = defaultOf(declaration);
      // A missing map or array is not written as the text null any more.
      const isRight = text === wrapped || (wrapped === 'null\n' && text === null);
      return isRight ? [] : [`${id}: ${JSON.stringify(text)} instead of ${JSON.stringify(wrapped)}`];
    });
    expect(wrong).toEqual([]);
  });
});

/** The default of one declared parameter, as it is stored. */
function defaultOf(declaration: string): string | null {
  const indented = declaration.trimEnd().split('\n').join('\n    ');
  const parsed = parsePackage(
    new Map([
      ['operator.yaml', 'name: x\n'],
      ['params.yaml', `parameters:\n  - ${indented}\n`],
    ]),
  );
  const [parameter] = parsed.ok ? parsed.package.parameters : [];
  return parameter === undefined ? 'unread' : (parameterOf(parameter).default ?? null);
}
