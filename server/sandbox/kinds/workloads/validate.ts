import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { asInternal, objectOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import { validatePodSpec } from '../pods/validate-pod-spec';
import { checkLabels, checkWorkloadSelector } from '../validation/selectors';
import { checkAtMostAll, checkIntsOrPercents } from '../validation/values';

/** Validation of the workload kinds (Kubernetes pkg/apis/apps/validation). */

const COUNTS = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'];

/** The template of a workload; its pods run for ever. */
function validateTemplate(spec: CheckedField, kind: string): void {
  const claims = spec.at('volumeClaimTemplates').items.map((claim) => claim.at('metadata', 'name').text);
  const template = spec.at('template');
  checkLabels(template.at('metadata', 'labels'));
  validatePodSpec(template.at('spec'), claims);
  const policy = template.at('spec', 'restartPolicy');
  if (['OnFailure', 'Never'].includes(policy.text)) policy.notSupported(['Always']);
  for (const deadline of template.at('spec').given('activeDeadlineSeconds')) {
    deadline.forbidden(`activeDeadlineSeconds in ${kind} is not Supported`);
  }
}

export function validateDeployment(object: CheckedField): void {
  validateReplicaSet(object);
  const spec = object.at('spec');
  const deadline = spec.at('progressDeadlineSeconds');
  if ((deadline.number ?? -1) >= 0 && (deadline.number ?? 0) <= (spec.at('minReadySeconds').number ?? 0)) {
    deadline.invalid('must be greater than minReadySeconds');
  }
  const strategy = spec.at('strategy');
  const rolling = strategy.at('rollingUpdate');
  const type = strategy.at('type').text;
  if (type === 'RollingUpdate') validateRolling(rolling);
  else if (type !== 'Recreate') strategy.notSupported(['Recreate', 'RollingUpdate'], asInternal(strategy.object));
  else if (rolling.isGiven) rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
}

function validateRolling(rolling: CheckedField): void {
  checkIntsOrPercents(rolling, 'maxUnavailable', 'maxSurge');
  const unavailable = rolling.at('maxUnavailable');
  checkAtMostAll(unavailable);
  const isNone = ({ value }: CheckedField) => value === 0 || value === '0%';
  if (isNone(unavailable) && isNone(rolling.at('maxSurge'))) unavailable.invalid('may not be 0 when `maxSurge` is 0');
}

export function validateReplicaSet(object: CheckedField): void {
  const spec = object.at('spec');
  spec.notNegative(...COUNTS);
  if (checkWorkloadSelector(spec, 'deployment')) validateTemplate(spec, 'ReplicaSet');
}

export function validateDaemonSet(object: CheckedField): void {
  const spec = object.at('spec');
  spec.notNegative(...COUNTS);
  checkWorkloadSelector(spec, 'daemonset');
  validateTemplate(spec, 'DaemonSet');
  const strategy = spec.at('updateStrategy');
  const type = strategy.at('type').text;
  if (type === 'RollingUpdate') validateRolling(strategy.at('rollingUpdate'));
  else if (type !== 'OnDelete') strategy.notSupported(['RollingUpdate', 'OnDelete'], asInternal(strategy.object));
}

export function validateStatefulSet(object: CheckedField): void {
  const spec = object.at('spec');
  spec.notNegative(...COUNTS);
  if (checkWorkloadSelector(spec, 'statefulset')) validateTemplate(spec, 'StatefulSet');
  const policy = spec.at('podManagementPolicy');
  if (!['OrderedReady', 'Parallel'].includes(policy.text)) policy.invalid("must be 'OrderedReady' or 'Parallel'");
  const strategy = spec.at('updateStrategy');
  const rolling = strategy.at('rollingUpdate');
  const type = strategy.at('type').text;
  if (type === 'RollingUpdate') rolling.notNegative('partition');
  else if (type !== 'OnDelete') {
    strategy.invalid("must be 'RollingUpdate' or 'OnDelete'", asInternal(strategy.object));
  } else if (rolling.isGiven) rolling.invalid("only allowed for updateStrategy 'RollingUpdate'");
  spec.at('ordinals').notNegative('start');
  const retention = spec.at('persistentVolumeClaimRetentionPolicy');
  for (const kept of retention.given('whenDeleted', 'whenScaled')) kept.oneOf(['Retain', 'Delete']);
}

/** The selector of a workload is for ever. */
export function validateFixedSelector(object: CheckedField, old: JsonObject): void {
  const selector = object.at('spec', 'selector');
  if (!jsonEqual(selector.value, objectOf(objectOf(old, 'spec'), 'selector'))) selector.invalid('field is immutable');
}

const CHANGEABLE = `replicas ordinals template updateStrategy revisionHistoryLimit persistentVolumeClaimRetentionPolicy
  minReadySeconds`.split(/\s+/);

export function validateStatefulSetUpdate(object: CheckedField, old: JsonObject): void {
  const spec = object.at('spec');
  const before = objectOf(old, 'spec') ?? {};
  const keys = new Set([...Object.keys(spec.object), ...Object.keys(before)]);
  if (![...keys].some((key) => !CHANGEABLE.includes(key) && !jsonEqual(spec.object[key], before[key]))) return;
  const names = CHANGEABLE.map((each) => `'${each}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  spec.forbidden(`updates to statefulset spec for fields other than ${list} are forbidden`);
}

/** Counts of replicas: none below 0, and no part larger than the whole. */
export function checkReplicas(...parts: readonly string[]): (object: CheckedField) => void {
  return (object) => {
    const status = object.at('status');
    status.notNegative('replicas', ...parts);
    for (const part of parts.map((key) => status.at(key))) {
      const count = part.number ?? 0;
      if (count > (status.at('replicas').number ?? 0)) part.invalid('cannot be greater than status.replicas', count);
    }
  };
}
