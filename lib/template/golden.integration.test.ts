import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { primeKeys } from '@/server/tasks/prime-keys';
import { goldenText } from '@/test/golden/golden-files';
import { sharedPath } from '@/test/golden/shared-path';
import { replayParameters } from './testing/golden/parameters';
import { replayRenderings } from './testing/golden/replay';

/** Templates of published operators, which are not in this repository. */
const published = sharedPath('golden/templates/realworld.json');

function problemsOf(name: string, text: string): string[] {
  const file = JSON.parse(text) as JsonObject;
  const results = name === 'params' ? replayParameters(file) : replayRenderings(file, primeKeys);
  expect(results.length).toBeGreaterThan(200);
  return results.flatMap(({ id, problem }) => (problem === undefined ? [] : [`${id}: ${problem}`]));
}

describe("renderings made with Go's own engine", { timeout: 240_000 }, () => {
  it.each(['language', 'sprig', 'params'])('all come out the same: %s.json', (name) => {
    expect(problemsOf(name, goldenText('templates', `${name}.json`))).toEqual([]);
  });

  it.skipIf(published === undefined)(
    'all come out the same: templates of published operators (needs ../shared)',
    () => {
      expect(problemsOf('realworld', readFileSync(published ?? '', 'utf8'))).toEqual([]);
    },
  );
});
