import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isJsonObject } from '@/lib/json/json';
import { replayParameters } from '@/lib/template/testing/golden/parameters';
import { type GoldenResult, replayRenderings } from '@/lib/template/testing/golden/replay';
import { primeKeys } from '@/server/tasks/prime-keys';

/** Replays golden template files below folders, prints each failure and `N passed, N failed`. */
export function runGolden(folders: readonly string[]): number {
  if (folders.length === 0) {
    console.error('usage: npm run golden -- DIR…');
    return 2;
  }
  let [passed, failed] = [0, 0];
  for (const folder of folders) {
    for (const path of jsonFiles(folder)) {
      const results = replayFile(path);
      for (const { id, problem } of results) {
        if (problem !== undefined) console.log(`${relative(folder, path)} ${id}: ${problem}`);
      }
      const bad = results.filter(({ problem }) => problem !== undefined).length;
      failed += bad;
      passed += results.length - bad;
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function jsonFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A file without cases (such as the list of functions) has no results. */
function replayFile(path: string): GoldenResult[] {
  const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isJsonObject(file) || !Array.isArray(file.cases)) return [];
  return file.category === 'params' ? replayParameters(file) : replayRenderings(file, primeKeys);
}

process.exitCode = runGolden(process.argv.slice(2));
