import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedPath } from '@/e2e/support/shared';
import type { JsonValue } from '@/lib/json/json';
import { defaultText } from './default-text';
import { parsePackage } from './parse-package';
import { parameterOf } from './to-objects';

const golden = sharedPath('golden/templates/params.json');

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

  it.skipIf(golden === undefined)('equal those of KUDO for every declaration of the golden file', () => {
    const { cases } = JSON.parse(readFileSync(golden ?? '', 'utf8')) as { cases: Case[] };
    const wrong: string[] = [];
    let checked = 0;
    for (const { id, declaration, wrapped } of cases) {
      if (declaration === undefined || wrapped === undefined) continue;
      checked++;
      const indented = declaration.trimEnd().split('\n').join('\n    ');
      const files = new Map([
        ['operator.yaml', 'name: x\n'],
        ['params.yaml', `parameters:\n  - ${indented}\n`],
      ]);
      const parsed = parsePackage(files);
      const [parameter] = parsed.ok ? parsed.package.parameters : [];
      const text = parameter === undefined ? 'unread' : (parameterOf(parameter).default ?? null);
      // KUDO wrote a missing map or array as the text `null`.
      if (wrapped === 'null\n' && text === null) continue;
      if (text !== wrapped) wrong.push(`${id}: ${JSON.stringify(text)} instead of ${JSON.stringify(wrapped)}`);
    }
    expect(checked).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
});
