import { expect, it } from 'vitest';
import { filesByExportedName } from './exported-names';
import { readSources } from './sources';

/**
 * Exported names that still have more than one definition. The list only shrinks: rename one of the definitions to what it is,
 * and take the name off the list.
 */
const REMAINING = new Set(
  `
  AdmissionRequest Condition Controller EventRecorder History Log Outcome Readiness Status Verdict Webhook
  applyObject backoffMs compareVersions conditionOf containersOf edited explainRefusal forbidden healthOf invalid
  isList listOf listen main mapOf matchesLabels notFound objectKey recordOf resourcesOf selectorOf statusFor
  templateOf toRule unwrapParameter withRecord workloadRules
  `
    .trim()
    .split(/\s+/),
);

const repeated = [...filesByExportedName(readSources())].filter(([, files]) => files.length > 1);

it('an exported name has one definition, so that a search finds one thing', () => {
  const added = repeated.filter(([name]) => !REMAINING.has(name));
  expect(added.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
});

it('the list names only what still has more than one definition', () => {
  const names = new Set(repeated.map(([name]) => name));
  expect([...REMAINING].filter((name) => !names.has(name))).toEqual([]);
});
