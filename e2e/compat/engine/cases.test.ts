import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conformanceCases } from '@/test/golden/golden-files';

const cases = conformanceCases();

function testTexts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testTexts(path);
    return entry.name.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}

const tested = () => {
  const texts = ['lib', 'server', 'e2e', 'cli'].flatMap(testTexts);
  return new Set(texts.flatMap((text) => text.match(/\b[A-Z]{3}-\d{2,3}a?\b/g) ?? []));
};

describe('the conformance cases', () => {
  it('have a test each, with the id in its name', () => {
    expect(cases.length).toBeGreaterThan(400);
    const known = tested();
    expect(cases.filter((id) => !known.has(id))).toEqual([]);
  });

  it('are counted by topic in the page about compatibility', () => {
    const page = readFileSync('docs/compatibility.md', 'utf8');
    const rows = [...page.matchAll(/^\| [^|(]+\(([A-Z]{3})\) \| (\d+) \| (\d+)[^|]*\| (\d+) \| (\d+) \|/gm)];
    const counts = new Map(rows.map(([, topic, all]) => [topic, Number(all)]));
    const wanted = new Map<string, number>();
    for (const id of cases.filter((each) => !/^(PKG|CLI)-/.test(each)))
      wanted.set(id.slice(0, 3), (wanted.get(id.slice(0, 3)) ?? 0) + 1);
    expect(counts).toEqual(wanted);
    for (const [, , all, same, differs, open] of rows)
      expect(Number(same) + Number(differs) + Number(open)).toBe(Number(all));
  });
});
