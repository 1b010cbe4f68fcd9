import { describe, expect, it } from 'vitest';
import { readSources } from './sources';

/** Folders of components/ from the bottom to the top: each imports only those that stand before it. */
const LAYERS = [
  'ui',
  'live',
  'access',
  'instance-view',
  'parameters',
  'plans',
  'runs',
  'instances',
  'schedules',
  'overview',
] as const;

const sources = readSources().filter(({ path, isTest }) => !isTest && path.startsWith('components/'));
const folderOf = (path: string) => path.split('/')[1] ?? '';

/** `path → target` for each import of another folder of components/ that the rule refuses. */
function refused(folder: string, isAllowed: (target: string) => boolean): string[] {
  return sources
    .filter(({ path }) => folderOf(path) === folder)
    .flatMap(({ path, imports }) =>
      imports
        .map(({ target }) => target)
        .filter((target) => target.startsWith('components/') && folderOf(target) !== folder)
        .filter((target) => !isAllowed(folderOf(target)))
        .map((target) => `${path} → ${target}`),
    );
}

describe('the layers of components', () => {
  it('ui imports nothing of its siblings', () => {
    expect(refused('ui', () => false)).toEqual([]);
  });

  it.each(LAYERS.map((folder, at) => ({ folder, above: LAYERS.slice(at + 1) as readonly string[] })))(
    '$folder imports no layer above it',
    ({ folder, above }) => {
      expect(refused(folder, (target) => !above.includes(target))).toEqual([]);
    },
  );

  it('every layer exists', () => {
    const folders = new Set(sources.map(({ path }) => folderOf(path)));
    expect(LAYERS.filter((folder) => !folders.has(folder))).toEqual([]);
  });
});
