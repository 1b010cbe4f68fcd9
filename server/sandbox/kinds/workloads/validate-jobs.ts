import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { matchesLabelSelector } from '../../selectors/selector';
import { asInternal, numberOf, objectOf, textOf } from '../access';
import type { Faults } from '../kind-rules';
import { validatePodSpec } from '../pods/validate-pod-spec';
import { checkNotNegative, checkOneOf } from '../validation/numbers';

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
  // The API tells a selector that does not fit twice in updates.
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

const MACROS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** A CronJob (ValidateCronJob). */
export function validateCronJob(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const schedule = textOf(spec, 'schedule');
  if (schedule === '') faults.push(required('spec.schedule'));
  else if (!isSchedule(schedule)) {
    const fields = schedule.trim().split(/\s+/).length;
    const text =
      fields === 5
        ? `failed to parse int from ${schedule.trim().split(/\s+/)[0]}: strconv.Atoi: parsing "${schedule.trim().split(/\s+/)[0]}": invalid syntax`
        : `expected exactly 5 fields, found ${fields}: [${schedule.trim().split(/\s+/).join(' ')}]`;
    faults.push(invalid('spec.schedule', schedule, text));
  }
  if (schedule.includes('TZ=')) {
    faults.push(invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  }
  checkTimeZone(spec, faults);
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

function checkTimeZone({ timeZone }: JsonObject, faults: Faults): void {
  if (typeof timeZone !== 'string') return;
  const problem =
    timeZone === ''
      ? 'timeZone must be nil or non-empty string'
      : timeZone.toLowerCase() === 'local'
        ? 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
        : isKnownZone(timeZone)
          ? undefined
          : `unknown time zone ${timeZone}`;
  if (problem !== undefined) faults.push(invalid('spec.timeZone', timeZone, problem));
}

function isKnownZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

const FIELD = /^(\*|\?|[0-9A-Za-z]+(-[0-9A-Za-z]+)?)(\/\d+)?$/;

function isSchedule(schedule: string): boolean {
  if (MACROS.includes(schedule) || /^@every \S+$/.test(schedule)) return true;
  const fields = schedule
    .replace(/^(CRON_)?TZ=\S+\s+/, '')
    .trim()
    .split(/\s+/);
  return fields.length === 5 && fields.every((field) => field.split(',').every((part) => FIELD.test(part)));
}
