import { expect, it } from 'vitest';
import { filesByExportedName } from './exported-names';
import { readSources } from './sources';

/**
 * Exported names that still have more than one definition. The list only shrinks: rename one of the definitions to what it is,
 * and take the name off the list.
 */
const REMAINING = new Set(
  `
  AdmissionRequest Answer Authority Collection Condition Controller ControllerOptions EventList EventRecorder EventsTab
  Failure History Input InstallWish ListPage Log LogLine Node Outcome ParameterChange ParameterGroup Question
  Readiness Refusal Session Status TakenNames Upgrade Upkeep Verdict Wanted Webhook WorkQueue YamlTab applyObject backoffMs
  cannotUnmarshal compareVersions conditionOf containersOf decode edited explainRefusal filterRows forbidden
  formatDuration healthOf instancesOf invalid isList keyOf listOf listen main makeAuthority mapOf matchesLabels
  matchesPattern notFound objectKey print readBody readObject recordOf refusalOf resourcesOf selectorOf sortRows
  statusFor strategyContextOf templateOf toRule unwrapParameter validateBinding validateRules validateType
  withCondition withRecord workloadRules
  `
    .trim()
    .split(/\s+/),
);

const repeated = [...filesByExportedName(readSources())].filter(([, files]) => files.length > 1);

it('an exported name has one definition, so that a search finds one thing', () => {
  const added = repeated.filter(([name]) => !REMAINING.has(name));
  expect(added.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
});
