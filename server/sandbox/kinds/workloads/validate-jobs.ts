import { parseCron } from '@/lib/clock/cron-schedule';
import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { asInternal, objectOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import { validatePodSpec } from '../pods/validate-pod-spec';
import { checkSelected } from '../validation/selectors';

const COUNTS = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'];
const OF_INDEXES = ['backoffLimitPerIndex', 'maxFailedIndexes'];

/** A Job (Kubernetes pkg/apis/batch/validation ValidateJob). */
export function validateJob(object: CheckedField): void {
  const spec = object.at('spec');
  validateJobSpec(spec);
  // The selector is the one that the server makes, unless `manualSelector` is set.
  const selector = spec.at('selector');
  const generated = { matchLabels: { 'batch.kubernetes.io/controller-uid': object.at('metadata', 'uid').text } };
  if (!selector.isGiven) selector.required();
  else if (spec.at('manualSelector').value !== true && !jsonEqual(selector.value, generated)) {
    selector.invalid('`selector` not auto-generated');
  }
  if (selector.isGiven) checkSelected(spec);
}

function validateJobSpec(spec: CheckedField): void {
  spec.notNegative(...COUNTS, ...OF_INDEXES);
  const mode = spec.at('completionMode');
  mode.oneOf(['NonIndexed', 'Indexed']);
  if (mode.text !== 'Indexed') {
    for (const field of spec.given(...OF_INDEXES)) field.invalid('requires indexed completion mode');
  } else if (!spec.at('completions').isGiven) spec.at('completions').required('when completion mode is Indexed');
  validatePodSpec(spec.at('template', 'spec'));
  const policy = spec.at('template', 'spec', 'restartPolicy');
  if (['', 'Always'].includes(policy.text)) policy.required('valid values: "OnFailure", "Never"');
}

const FIXED = 'completions selector template completionMode podFailurePolicy backoffLimitPerIndex successPolicy'.split(
  ' ',
);

export function validateJobUpdate(object: CheckedField, old: JsonObject): void {
  const { faults } = object;
  // The API reports a selector that does not match twice in updates.
  faults.push(...faults.filter(({ message }) => message.endsWith('`selector` does not match template `labels`')));
  const spec = object.at('spec');
  for (const key of FIXED) {
    const field = spec.at(key);
    if (jsonEqual(field.value, objectOf(old, 'spec')?.[key])) continue;
    // An Indexed Job may be scaled together with its parallelism.
    const isIndexed = spec.at('completionMode').text === 'Indexed';
    if (key === 'completions' && isIndexed && field.value === spec.at('parallelism').value) continue;
    field.invalid('field is immutable', key === 'template' ? asInternal(field.object) : field.value);
  }
}

/** The status of a Job (pkg/registry/batch/job getStatusValidationOptions, validateJobStatus). */
export function validateJobStatus(object: CheckedField): void {
  const status = object.at('status');
  status.notNegative('active', 'succeeded', 'failed', 'ready', 'terminating');
  const holding = new Set(
    status.at('conditions').items.flatMap((each) => (each.at('status').text === 'True' ? each.at('type').text : [])),
  );
  const isComplete = holding.has('Complete');
  if (!isComplete && !holding.has('Failed')) return;
  const active = status.at('active');
  if ((active.number ?? 0) > 0) active.invalid('active>0 is invalid for finished job');
  if (isComplete && !status.at('completionTime').isGiven) {
    status.at('completionTime').required('completionTime is required for Complete jobs');
  }
  for (const [end, before] of [
    ['Complete', 'SuccessCriteriaMet'],
    ['Failed', 'FailureTarget'],
  ] as const) {
    if (!holding.has(end) || holding.has(before)) continue;
    const text = `Invalid value: cannot set ${end}=True condition without the ${before}=true condition`;
    object.faults.push({ field: 'status.conditions', type: 'FieldValueInvalid', message: text });
  }
}

/** A CronJob (ValidateCronJob). */
export function validateCronJob(object: CheckedField): void {
  const spec = object.at('spec');
  const schedule = spec.at('schedule');
  schedule.name(scheduleProblems);
  const zone = spec.at('timeZone');
  if (zone.value === '') zone.invalid('timeZone must be nil or non-empty string');
  else if (zone.isGiven && parseCron('@daily', zone.text) === undefined) zone.invalid(`unknown time zone ${zone.text}`);
  spec.notNegative('startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit');
  spec.at('concurrencyPolicy').oneOf(['Allow', 'Forbid', 'Replace']);
  const template = spec.at('jobTemplate', 'spec');
  const manual = template.at('manualSelector');
  if (manual.value === true) manual.notSupported(['nil', 'false']);
  for (const selector of template.given('selector')) selector.forbidden('`selector` will be auto-generated');
  validateJobSpec(template);
  const name = object.at('metadata', 'name');
  if (name.text.length > 52) name.invalid('must be no more than 52 characters');
}

function scheduleProblems(schedule: string): string[] {
  const problems: string[] = [];
  const fields = schedule.trim().split(/\s+/);
  if (parseCron(schedule.replace(/^(CRON_)?TZ=\S+\s+/, '')) === undefined) {
    problems.push(
      fields.length === 5
        ? `failed to parse int from ${fields[0]}: strconv.Atoi: parsing "${fields[0]}": invalid syntax`
        : `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`,
    );
  }
  if (schedule.includes('TZ=')) problems.push('cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  return problems;
}
