import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Allowance, aboveAllowance } from './allowance';
import { withoutComments } from './comments';
import { readSources } from './sources';

/** Phrases that no reader knows, each with what to write. The words are those of Kubernetes and controller-runtime. */
const BANNED: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/Nothing failed, nothing retries/, 'All 3 instances are healthy.'],
  [/Needed: give a value/, 'Required.'],
  [/\bMend [A-Z$]/, 'Fix REPLICAS to continue.'],
  [/\b(to mend|mend it|mended)\b/, 'Line 14: `replicas` must be an integer; 4 fields need a value'],
  [/The cluster would take it/, 'Valid: the API server accepted a dry run.'],
  [/was not taken\b/, 'Upload failed: badref.tgz …'],
  [/remarks? from the verification/, '4 warnings'],
  [/Written at once by the console/, 'Created now, with your permissions'],
  [/unless (it|one) is there/, 'if it does not exist yet'],
  [/Makes no progress:/, 'Stalled: CAUSE. Fix the cause, or start another plan to replace this one.'],
  [/with this definition/, 'Deleting this CRD also deletes 1 CronTab.'],
  [/stands? in other namespaces/, '5 more in other namespaces.'],
  [/Parameters that go\b/, 'Removed parameters'],
  [/It never was done/, 'The plan did not finish.'],
  [/does not know operators yet/, 'Bravo’s CRDs are not installed in this cluster.'],
  [/are no packages/, 'Some files in the catalogue are not operator packages'],
  [/cannot be told\b/, 'The preview is not available: …'],
  [/\bNothingMoves\b/, 'ProgressDeadlineExceeded'],
  [/\bObjectInTrouble\b/, 'ResourceNotReady'],
  [/\bErrorsRepeat\b/, 'RepeatedErrors'],
  [/\bChangeWaits\b/, 'ChangeQueued'],
];

/** The name of a mark in the names of tests. */
const ALLOWED: Allowance = new Map([['docs/compatibility.md', 1]]);

const root = fileURLToPath(new URL('../..', import.meta.url));

it('no text that a user reads has a phrase that is hard to read', () => {
  const code = readSources()
    .filter(({ isTest }) => !isTest)
    .map(({ path, text }) => ({ path, text: withoutComments(text).replace(/\s+/g, ' ') }));
  const findings = [...code, ...pages()].flatMap(({ path, text }) =>
    BANNED.flatMap(([phrase, instead]) =>
      [...text.matchAll(new RegExp(phrase, 'g'))].map(([found]) => `${path}: "${found}", write "${instead}"`),
    ),
  );
  expect(aboveAllowance(findings, ALLOWED)).toEqual([]);
});

/** The pages for people. The changelog is left out: it has to name what was renamed. */
function pages(): { path: string; text: string }[] {
  const below = readdirSync(join(root, 'docs'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
  const paths = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...below];
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
