import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SKIPPED = new Set(['node_modules', '.git', '.next', 'dist', 'tmp']);

/** Every file and folder of the project, as paths from the root. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [relative(root, path), ...pathsBelow(path)] : [relative(root, path)];
  });
}

/** What a page names between backticks that is a path of this project: a file with its ending, or a folder below one of ours. */
function pathsIn(text: string): string[] {
  const names = [...text.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name ?? '');
  return names.filter(
    (name) => /\.(ts|tsx|mjs|md)$/.test(name) || /^(app|cli|components|e2e|lib|server|test)\//.test(name),
  );
}

describe('a page of the documentation', () => {
  const paths = pathsBelow(root);
  const exists = (name: string) => paths.some((path) => path === name.replace(/\/$/, '') || path.endsWith(`/${name}`));

  it.each(['docs/faults.md', 'docs/simulator.md', 'test/README.md', 'test/golden/README.md'])(
    'cites only files that exist: %s',
    (page) => {
      const cited = pathsIn(readFileSync(join(root, page), 'utf8'));
      expect(cited.length).toBeGreaterThan(5);
      expect(cited.filter((name) => !exists(name))).toEqual([]);
    },
  );

  it('explains every number of a fault that a test carries: docs/faults.md', () => {
    const page = readFileSync(join(root, 'docs/faults.md'), 'utf8');
    const numbers = new Set(page.match(/\b[AC]\d{2}\b/g));
    const tests = paths
      .filter((path) => /\.test\.tsx?$/.test(path))
      .map((path) => readFileSync(join(root, path), 'utf8'));
    const cited = new Set(tests.join('\n').match(/\b[AC]\d{2}\b/g));
    expect([...cited].filter((number) => !numbers.has(number))).toEqual([]);
  });
});
