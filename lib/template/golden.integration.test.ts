import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { primeKeys } from '@/server/tasks/prime-keys';
import { sharedPath } from '@/test/golden/shared-path';
import { replayParameters } from './testing/golden/parameters';
import { replayRenderings } from './testing/golden/replay';

const folder = sharedPath('golden/templates');

function problemsOf(name: string): string[] {
  const file = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as JsonObject;
  const results = name === 'params' ? replayParameters(file) : replayRenderings(file, primeKeys);
  expect(results.length).toBeGreaterThan(200);
  return results.flatMap(({ id, problem }) => (problem === undefined ? [] : [`${id}: ${problem}`]));
}

describe.skipIf(folder === undefined)("renderings made with Go's own engine", () => {
  it.each(['language', 'sprig', 'params', 'realworld'])(
    'are all reproduced: %s.json',
    (name) => {
      expect(problemsOf(name)).toEqual([]);
    },
    240_000,
  );
});
