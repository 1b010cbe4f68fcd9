import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedPath } from '@/e2e/support/shared';
import { parsePackage } from './parse-package';
import { parameterOf } from './to-objects';

const golden = sharedPath('golden/templates/params.json');

/** What the one reader of YAML does not do: `0o17` and `!!binary`, and digits of floats beyond 2^63. */
const DIFFERENT = new Set([
  'params/declared-scalar/015',
  'params/declared-scalar/057',
  'params/declared-scalar-integer/015',
  'params/declared-scalar-integer/057',
  'params/declared-map/027',
]);

interface Case {
  id: string;
  declaration?: string;
  wrapped?: string | null;
}

describe('defaults as text', () => {
  it.skipIf(golden === undefined)('equal those of KUDO for every declaration of the golden file', () => {
    const { cases } = JSON.parse(readFileSync(golden ?? '', 'utf8')) as { cases: Case[] };
    const wrong: string[] = [];
    let checked = 0;
    for (const { id, declaration, wrapped } of cases) {
      if (declaration === undefined || wrapped === undefined || DIFFERENT.has(id)) continue;
      checked++;
      const indented = declaration.trimEnd().split('\n').join('\n    ');
      const files = new Map([
        ['operator.yaml', 'name: x\n'],
        ['params.yaml', `parameters:\n  - ${indented}\n`],
      ]);
      const parsed = parsePackage(files);
      const [parameter] = parsed.ok ? parsed.package.parameters : [];
      const text = parameter === undefined ? 'unread' : (parameterOf(parameter).default ?? null);
      // A missing map or array is not written as the text null any more (T-44).
      if (wrapped === 'null\n' && text === null) continue;
      if (text !== wrapped) wrong.push(`${id}: ${JSON.stringify(text)} instead of ${JSON.stringify(wrapped)}`);
    }
    expect(checked).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
});
