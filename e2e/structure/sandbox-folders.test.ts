import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { readSources } from './sources';

const ROOM = 'server/sandbox';

/** Files of the room by path without extension, as imports name them. */
const files = readSources().filter(({ path, isTest }) => path.startsWith(`${ROOM}/`) && !isTest);
const known = new Set(files.map(({ path }) => path.replace(/\.ts$/, '')));

/** A folder is a node; so is each file that lies in the room itself. */
const nodeOf = (path: string) => (dirname(path) === ROOM ? path : dirname(path));

/** Which folder imports which other ones. */
function folderGraph(): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = nodeOf(path.replace(/\.ts$/, ''));
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const { target } of imports) {
      if (known.has(target) && nodeOf(target) !== from) targets.add(nodeOf(target));
    }
  }
  return graph;
}

/** What is left when folders that import nothing of the rest are taken away again and again: empty without a cycle. */
function cyclic(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, targets]) => ![...targets].some((target) => left.has(target)));
    if (free.length === 0) return [...left.keys()].sort();
    for (const [folder] of free) left.delete(folder);
  }
}

it('no two folders of the sandbox import each other, directly or through others', () => {
  expect(cyclic(folderGraph())).toEqual([]);
});

it('a cycle of folders would be found', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
    ['d', new Set<string>()],
  ]);
  expect(cyclic(graph)).toEqual(['a', 'b', 'c']);
});

it('errors are at the bottom: they import nothing of the sandbox', () => {
  expect([...(folderGraph().get(`${ROOM}/errors`) ?? [])]).toEqual([]);
});
