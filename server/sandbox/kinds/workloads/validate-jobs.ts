import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { matchesLabelSelector } from '../../selectors/selector';
import { asInternal, numberOf, objectOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { validatePodSpec } from '../pods/validate-pod-spec';
import { checkNotNegative, checkOneOf } from '../validation/numbers';
import { parseCron } from './cron-schedule';

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

/** A Job (Kubernetes pkg/apis/batch/validation ValidateJob). */
export function validateJob(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  validateJobSpec(spec, 'spec', faults);
  validateSelector(object, spec, faults);
}

function validateJobSpec(spec: JsonObject, path: string, faults: Faults): void {
  checkNotNegative(spec, path, COUNTS, faults);
  checkOneOf(spec.completionMode, `${path}.completionMode`, ['NonIndexed', 'Indexed'], faults);
  if (spec.completionMode === 'Indexed') {
    if (spec.completions === undefined) {
      faults.push(required(`${path}.completions`, 'when completion mode is Indexed'));
    }
  } else {
    for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      const value = numberOf(spec, key);
      if (value !== undefined) faults.push(invalid(`${path}.${key}`, value, 'requires indexed completion mode'));
    }
  }
  const podSpec = objectOf(objectOf(spec, 'template'), 'spec') ?? {};
  validatePodSpec(podSpec, `${path}.template.spec`, faults);
  const policy = textOf(podSpec, 'restartPolicy');
  const field = `${path}.template.spec.restartPolicy`;
  if (policy === '' || policy === 'Always') faults.push(required(field, 'valid values: "OnFailure", "Never"'));
  else if (policy === 'OnFailure' && spec.podFailurePolicy !== undefined) {
    faults.push(invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

/** The selector is the one that the server makes, unless `manualSelector` is set. */
function validateSelector(object: JsonObject, spec: JsonObject, faults: Faults): void {
  const selector = objectOf(spec, 'selector');
  const labels = objectOf(objectOf(objectOf(spec, 'template'), 'metadata'), 'labels');
  if (selector === undefined) faults.push(required('spec.selector'));
  else if (spec.manualSelector !== true) {
    const uid = textOf(objectOf(object, 'metadata'), 'uid');
    const generated = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
    const legacy = { matchLabels: { 'controller-uid': uid } };
    if (!jsonEqual(selector, generated) && !jsonEqual(selector, legacy)) {
      faults.push(invalid('spec.selector', selector, '`selector` not auto-generated'));
    }
  }
  if (selector !== undefined && !matchesLabelSelector(selector, labels as { [key: string]: string } | undefined)) {
    faults.push(
      invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
    );
  }
}

const FIXED = [
  'completions',
  'selector',
  'template',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'successPolicy',
];

export function validateJobUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  // The API reports a selector that does not match twice in updates.
  faults.push(...faults.filter(({ message }) => message.endsWith('`selector` does not match template `labels`')));
  const spec = objectOf(object, 'spec') ?? {};
  const before = objectOf(old, 'spec') ?? {};
  for (const key of FIXED) {
    if (jsonEqual(spec[key], before[key])) continue;
    const value = key === 'template' ? asInternal(spec[key] ?? null) : (spec[key] ?? null);
    // An Indexed Job may be scaled together with its parallelism.
    const scales = key === 'completions' && spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
    if (!scales) faults.push(invalid(`spec.${key}`, value, 'field is immutable'));
  }
}

/** A CronJob (ValidateCronJob). */
export function validateCronJob(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const schedule = textOf(spec, 'schedule');
  if (schedule === '') faults.push(required('spec.schedule'));
  else if (parseCron(schedule.replace(/^(CRON_)?TZ=\S+\s+/, '')) === undefined) {
    const fields = schedule.trim().split(/\s+/);
    const text =
      fields.length === 5
        ? `failed to parse int from ${fields[0]}: strconv.Atoi: parsing "${fields[0]}": invalid syntax`
        : `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
    faults.push(invalid('spec.schedule', schedule, text));
  }
  if (schedule.includes('TZ=')) {
    faults.push(invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  }
  const { timeZone } = spec;
  if (timeZone === '') faults.push(invalid('spec.timeZone', timeZone, 'timeZone must be nil or non-empty string'));
  else if (typeof timeZone === 'string' && parseCron('@daily', timeZone) === undefined) {
    faults.push(invalid('spec.timeZone', timeZone, `unknown time zone ${timeZone}`));
  }
  checkNotNegative(
    spec,
    'spec',
    ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'],
    faults,
  );
  const policy = textOf(spec, 'concurrencyPolicy');
  const policies = ['Allow', 'Forbid', 'Replace'];
  if (!policies.includes(policy)) faults.push(notSupported('spec.concurrencyPolicy', policy, policies));
  const template = objectOf(objectOf(spec, 'jobTemplate'), 'spec') ?? {};
  if (template.manualSelector !== undefined && template.manualSelector !== false) {
    faults.push(notSupported('spec.jobTemplate.spec.manualSelector', template.manualSelector, ['nil', 'false']));
  }
  if (template.selector !== undefined) {
    faults.push(forbidden('spec.jobTemplate.spec.selector', '`selector` will be auto-generated'));
  }
  validateJobSpec(template, 'spec.jobTemplate.spec', faults);
  const name = textOf(objectOf(object, 'metadata'), 'name');
  if (name.length > 52) faults.push(invalid('metadata.name', name, 'must be no more than 52 characters'));
}
