import { expect, it } from 'vitest';
import { readSources } from './sources';

/** The record of early events has its own way out when the replay cannot be loaded. */
const ELSEWHERE = 'components/early/early-events.tsx';

it('each part of a page that comes later is loaded by loadPart: a failed import would break the page', () => {
  const found = readSources()
    .filter(({ path, isTest }) => /^(components|app)\//.test(path) && !isTest && path !== ELSEWHERE)
    .flatMap(({ path, text }) => [...text.matchAll(/(.{0,16})\bimport\('/g)].map(([, before]) => ({ path, before })))
    .filter(({ before }) => !before?.endsWith('loadPart(() => '));
  expect(found).toEqual([]);
});
