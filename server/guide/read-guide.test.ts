import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUIDE_PAGES } from '@/lib/guide/pages';
import { guidePlaceOf, guideSection } from '@/lib/guide/place';
import { projectRoot } from '@/server/runtime/root';
import { readGuide } from './read-guide';

const folder = join(projectRoot, 'docs/guide');

describe('the guide in the console', () => {
  it('lists every page of docs/guide with its title', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
    expect(GUIDE_PAGES.map(([page]) => `${page}.md`).sort()).toEqual(files.sort());
    for (const [page, title] of GUIDE_PAGES)
      expect(readFileSync(join(folder, `${page}.md`), 'utf8').split('\n')[0]).toBe(`# ${title}`);
  });

  it.each([
    '/',
    '/instances',
    '/instances/n/i',
    '/instances/n/i/parameters',
    '/instances/n/i/backups',
    '/instances/n/i/runs/compare',
    '/instances/n/i/logs',
    '/operators',
    '/install',
    '/operators/etcd/upgrade',
    '/resources',
    '/resources/core/v1/nodes',
    '/repositories',
    '/activity',
    '/roles',
    '/status',
    '/settings',
  ])('has the section that %s leads to', async (path) => {
    const { page, section } = guidePlaceOf(path);
    const text = (await readGuide(page)) ?? '';
    expect(text).not.toBe('');
    if (section !== undefined) expect(guideSection(text, section)).toMatch(/^#+ .*\n[\s\S]*\S/);
  });

  it('reads no other file, and no picture', async () => {
    expect(await readGuide('../compatibility')).toBeUndefined();
    expect(await readGuide('none')).toBeUndefined();
    for (const [page] of GUIDE_PAGES) expect(await readGuide(page)).not.toMatch(/^!\[/m);
  });
});
