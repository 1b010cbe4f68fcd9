import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commentsOf } from './comments';
import { readSources } from './sources';

/**
 * Citations of numbered texts. A comment says the fact instead, or cites a number of one of {@link NUMBERED}, or names a file that
 * exists.
 */
const CITATIONS: readonly RegExp[] = [
  /\bengine \d+(\.\d+)*/gi,
  /\bspec(ification)?,? (of the )?(command line|packages?|engine|harness)\b[ ,]*[\d.]*/gi,
  /house contract/gi,
  /\breliability [A-Z]\d+/gi,
  /\bseed \d{5,}/gi,
  // Numbers of cases and defects: T-09, C08, B-13, MGR-01, ENG-23.
  /(?<![\w.\-/#`])(?:[TCPRSAB]-?\d{2}|[BC]-\d)(?![\w.\-%])/g,
  /(?<![\w-])(?:ADM|CTL|ENG|MGR|PKG|CLI|HAR)-\d{2,3}\b/g,
  // Numbers of sections at the beginning of a comment: "13.7.1: …".
  /(?<=^\/\*\*\s(?:\*\s)?)\d{1,2}(?:\.\d{1,2})+(?=[:,])/g,
];

/** Where numbers of defects of KUDO, of faults and of conformance cases are listed. */
const NUMBERED = ['docs/compatibility.md', 'docs/faults.md', 'test/golden/conformance-cases.txt'] as const;

const root = fileURLToPath(new URL('../..', import.meta.url));
const testFolders = ['e2e', 'test'].filter((folder) => existsSync(join(root, folder)));
const sources = [...readSources(), ...testFolders.flatMap((folder) => readSources([folder]))];

const numbered = NUMBERED.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
const isListed = (id: string) => /^[A-Z]{1,3}-?\d+$/.test(id) && new RegExp(`\\b${id}\\b`).test(numbered);

describe('references', () => {
  it('a comment cites only what is in the repository', () => {
    const findings = sources
      // This file has to name what it looks for.
      .filter(({ path }) => path !== 'e2e/structure/references.test.ts')
      .flatMap(({ path, text }) =>
        commentsOf(text).flatMap((comment) =>
          CITATIONS.flatMap((citation) =>
            [...comment.matchAll(citation)].flatMap(([found]) => (isListed(found) ? [] : [`${path}: ${found}`])),
          ),
        ),
      );
    expect(findings).toEqual([]);
  });

  it('a comment names a page of docs/ that exists', () => {
    const findings = sources.flatMap(({ path, text }) =>
      commentsOf(text).flatMap((comment) =>
        [...comment.matchAll(/(?<![\w/.])docs\/[\w/.-]+/g)]
          .map(([page]) => page.replace(/\.$/, ''))
          .filter((page) => !isPage(page))
          .map((page) => `${path}: ${page}`),
      ),
    );
    expect(findings).toEqual([]);
  });

  it('a link of a page leads to a file that exists', () => {
    const pages = [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
      ...pagesBelow('docs'),
    ];
    const broken = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .filter(([, target = '']) => !existsSync(join(root, dirname(page), target)))
        .map(([, target]) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

/** A decision may be named by its number: docs/decisions/020. */
function isPage(page: string): boolean {
  if (existsSync(join(root, page)) || existsSync(join(root, `${page}.md`))) return true;
  const folder = join(root, dirname(page));
  const name = page.slice(page.lastIndexOf('/') + 1);
  return /^\d{3}$/.test(name) && existsSync(folder) && readdirSync(folder).some((file) => file.startsWith(`${name}-`));
}

function pagesBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}
