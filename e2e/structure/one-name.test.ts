import { expect, it } from 'vitest';
import { filesByExportedName } from './exported-names';
import { readSources } from './sources';

/** Exported names that may have more than one definition: each program has its own `main`. */
const SEVERAL = new Set(['main']);

const repeated = [...filesByExportedName(readSources())].filter(([, files]) => files.length > 1);

it('an exported name has one definition, so that a search finds one thing', () => {
  const added = repeated.filter(([name]) => !SEVERAL.has(name));
  expect(added.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
});

it('the list names only what still has more than one definition', () => {
  const names = new Set(repeated.map(([name]) => name));
  expect([...SEVERAL].filter((name) => !names.has(name))).toEqual([]);
});
