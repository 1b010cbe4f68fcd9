import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { asInternal, numberOf, objectOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { validatePodSpec } from '../pods/validate-pod-spec';
import { checkAtMostAll, checkIntOrPercent, checkNotNegative } from '../validation/numbers';
import { checkLabels, checkWorkloadSelector } from '../validation/selectors';

/** Validation of the workload kinds (Kubernetes pkg/apis/apps/validation). */

/** The template of a workload; its pods run for ever. */
export function validateTemplate(spec: JsonObject, kind: string, faults: Faults): void {
  const template = objectOf(spec, 'template') ?? {};
  const podSpec = objectOf(template, 'spec') ?? {};
  checkLabels(objectOf(template, 'metadata')?.labels, 'spec.template.metadata.labels', faults);
  validatePodSpec(podSpec, 'spec.template.spec', faults);
  const policy = textOf(podSpec, 'restartPolicy');
  if (policy !== 'Always' && ['OnFailure', 'Never'].includes(policy)) {
    faults.push(notSupported('spec.template.spec.restartPolicy', policy, ['Always']));
  }
  if (podSpec.activeDeadlineSeconds !== undefined) {
    const text = `activeDeadlineSeconds in ${kind} is not Supported`;
    faults.push(forbidden('spec.template.spec.activeDeadlineSeconds', text));
  }
}

export function validateDeployment(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  checkNotNegative(
    spec,
    'spec',
    ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'],
    faults,
  );
  if (checkWorkloadSelector(spec, 'deployment', faults)) validateTemplate(spec, 'ReplicaSet', faults);
  const deadline = numberOf(spec, 'progressDeadlineSeconds');
  if (deadline !== undefined && deadline >= 0 && deadline <= (numberOf(spec, 'minReadySeconds') ?? 0)) {
    faults.push(invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  const strategy = objectOf(spec, 'strategy') ?? {};
  const rolling = objectOf(strategy, 'rollingUpdate');
  if (strategy.type === 'Recreate') {
    if (rolling !== undefined) {
      const text = "may not be specified when strategy `type` is 'Recreate'";
      faults.push(forbidden('spec.strategy.rollingUpdate', text));
    }
  } else if (strategy.type === 'RollingUpdate') validateRolling(rolling, 'spec.strategy.rollingUpdate', faults);
  else faults.push(notSupported('spec.strategy', asInternal(strategy), ['Recreate', 'RollingUpdate']));
}

function validateRolling(rolling: JsonObject | undefined, path: string, faults: Faults): void {
  if (rolling === undefined) {
    faults.push(required(path, 'this should be defaulted and never be nil'));
    return;
  }
  checkIntOrPercent(rolling.maxUnavailable, `${path}.maxUnavailable`, faults);
  checkIntOrPercent(rolling.maxSurge, `${path}.maxSurge`, faults);
  checkAtMostAll(rolling.maxUnavailable, `${path}.maxUnavailable`, faults);
  const isNone = (value: unknown) => value === 0 || value === '0%';
  if (isNone(rolling.maxUnavailable) && isNone(rolling.maxSurge)) {
    faults.push(invalid(`${path}.maxUnavailable`, rolling.maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
}

export function validateReplicaSet(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  checkNotNegative(spec, 'spec', ['replicas', 'minReadySeconds'], faults);
  if (checkWorkloadSelector(spec, 'deployment', faults)) validateTemplate(spec, 'ReplicaSet', faults);
}

export function validateDaemonSet(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  checkNotNegative(spec, 'spec', ['minReadySeconds', 'revisionHistoryLimit'], faults);
  checkWorkloadSelector(spec, 'daemonset', faults);
  validateTemplate(spec, 'DaemonSet', faults);
  const strategy = objectOf(spec, 'updateStrategy') ?? {};
  if (strategy.type === 'OnDelete') return;
  if (strategy.type === 'RollingUpdate') {
    validateRolling(objectOf(strategy, 'rollingUpdate'), 'spec.updateStrategy.rollingUpdate', faults);
  } else faults.push(notSupported('spec.updateStrategy', asInternal(strategy), ['RollingUpdate', 'OnDelete']));
}

export function validateStatefulSet(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  checkNotNegative(spec, 'spec', ['replicas', 'minReadySeconds', 'revisionHistoryLimit'], faults);
  if (checkWorkloadSelector(spec, 'statefulset', faults)) validateTemplate(withClaims(spec), 'StatefulSet', faults);
  const policy = textOf(spec, 'podManagementPolicy');
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    faults.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  const strategy = objectOf(spec, 'updateStrategy') ?? {};
  const rolling = objectOf(strategy, 'rollingUpdate');
  if (strategy.type === 'OnDelete') {
    if (rolling !== undefined) {
      const text = "only allowed for updateStrategy 'RollingUpdate'";
      faults.push(invalid('spec.updateStrategy.rollingUpdate', rolling, text));
    }
  } else if (strategy.type !== 'RollingUpdate') {
    faults.push(invalid('spec.updateStrategy', asInternal(strategy), "must be 'RollingUpdate' or 'OnDelete'"));
  } else checkNotNegative(rolling, 'spec.updateStrategy.rollingUpdate', ['partition'], faults);
  checkNotNegative(objectOf(spec, 'ordinals'), 'spec.ordinals', ['start'], faults);
  const retention = objectOf(spec, 'persistentVolumeClaimRetentionPolicy');
  for (const key of ['whenDeleted', 'whenScaled']) {
    const kept = retention?.[key];
    if (kept === undefined || kept === 'Retain' || kept === 'Delete') continue;
    faults.push(notSupported(`spec.persistentVolumeClaimRetentionPolicy.${key}`, kept, ['Retain', 'Delete']));
  }
}

/** Mounts may name claims of the set; for the check they count as volumes. */
function withClaims(spec: JsonObject): JsonObject {
  const template = objectOf(spec, 'template');
  const podSpec = objectOf(template, 'spec');
  const claims = Array.isArray(spec.volumeClaimTemplates) ? spec.volumeClaimTemplates : [];
  if (template === undefined || podSpec === undefined || claims.length === 0) return spec;
  const own = Array.isArray(podSpec.volumes) ? podSpec.volumes : [];
  const names = new Set(own.map((volume) => textOf(volume as JsonObject, 'name')));
  const extra = claims
    .map((claim) => textOf(objectOf(claim as JsonObject, 'metadata'), 'name'))
    .filter((name) => name !== '' && !names.has(name))
    .map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes: [...own, ...extra] } } };
}

/** The selector of a workload is for ever. */
export function validateFixedSelector(object: JsonObject, old: JsonObject, faults: Faults): void {
  const selector = objectOf(objectOf(object, 'spec'), 'selector');
  if (!jsonEqual(selector, objectOf(objectOf(old, 'spec'), 'selector'))) {
    faults.push(invalid('spec.selector', selector ?? null, 'field is immutable'));
  }
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export function validateStatefulSetUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const before = objectOf(old, 'spec') ?? {};
  const keys = new Set([...Object.keys(spec), ...Object.keys(before)]);
  const changed = [...keys].some((key) => !CHANGEABLE.includes(key) && !jsonEqual(spec[key], before[key]));
  if (!changed) return;
  const names = CHANGEABLE.map((each) => `'${each}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  faults.push(forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`));
}
