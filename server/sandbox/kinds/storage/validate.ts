import { isJsonObject, type JsonObject, jsonEqual } from '@/lib/json/json';
import { dnsLabelProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { compareQuantities } from '@/lib/kube/quantity';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { objectOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkClassName } from '../core/validate';
import { checkBackSteps } from '../pods/validate-paths';
import { difference } from '../pods/validate-pod-update';
import { validateVolumeSource } from '../pods/validate-volumes';
import { checkName, checkOneOf } from '../validation/numbers';
import { checkEachOneOf, checkLabelSelector, checkNodeSelector } from '../validation/selectors';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

/** The spec of a PersistentVolumeClaim (Kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimSpec). */
export function validateClaim(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const modes = textsOf(spec, 'accessModes');
  if (modes.length === 0) faults.push(required('spec.accessModes', 'at least 1 access mode is required'));
  checkLabelSelector(objectOf(spec, 'selector'), 'spec.selector', faults);
  checkEachOneOf(modes, 'spec.accessModes', ACCESS_MODES, faults);
  if (modes.includes('ReadWriteOncePod') && modes.length > 1) {
    faults.push(forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'));
  }
  const storage = objectOf(objectOf(spec, 'resources'), 'requests')?.storage;
  if (typeof storage !== 'string') faults.push(required('spec.resources[storage]'));
  else if (compareQuantities(storage, '0') <= 0) {
    faults.push(invalid('spec.resources[storage]', storage, 'must be greater than zero'));
  }
  checkClassName(spec, 'storageClassName', 'spec.storageClassName', faults);
  checkOneOf(spec.volumeMode, 'spec.volumeMode', VOLUME_MODES, faults);
}

const BOUND =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** A claim may be bound once, and grow when it is. */
export function validateClaimUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const before = objectOf(old, 'spec') ?? {};
  const isBound = textOf(objectOf(old, 'status'), 'phase') === 'Bound';
  const comparable = { ...spec };
  if (textOf(before, 'volumeName') === '') {
    if (before.volumeName === undefined) delete comparable.volumeName;
    else comparable.volumeName = before.volumeName;
  }
  if (before.storageClassName === undefined && spec.storageClassName !== undefined) delete comparable.storageClassName;
  if (isBound) {
    comparable.resources = before.resources ?? {};
    if (before.volumeAttributesClassName === undefined) delete comparable.volumeAttributesClassName;
    else comparable.volumeAttributesClassName = before.volumeAttributesClassName;
    checkGrowth(spec, before, faults);
  }
  if (!jsonEqual(comparable, before)) {
    faults.push(forbidden('spec', `${BOUND}\n${difference('core.PersistentVolumeClaimSpec', spec, before)}`));
  }
}

function checkGrowth(spec: JsonObject, before: JsonObject, faults: Faults): void {
  const [now, then] = [spec, before].map((each) =>
    textOf(objectOf(objectOf(each, 'resources'), 'requests'), 'storage'),
  );
  if (now !== undefined && then !== undefined && then !== '' && compareQuantities(now, then) < 0) {
    faults.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
}

/** Members of the spec of a volume that are no source. */
const NOT_SOURCES = new Set(['capacity', 'claimRef', 'nodeAffinity']);
const RECLAIM = ['Delete', 'Recycle', 'Retain'];

export function validateVolume(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const modes = textsOf(spec, 'accessModes');
  if (modes.length === 0) faults.push(required('spec.accessModes'));
  checkEachOneOf(modes, 'spec.accessModes', ACCESS_MODES, faults);
  const capacity = objectOf(spec, 'capacity');
  if (capacity === undefined || Object.keys(capacity).length === 0) faults.push(required('spec.capacity'));
  const storage = capacity?.storage;
  if (storage === undefined || Object.keys(capacity ?? {}).length > 1) {
    faults.push(notSupported('spec.capacity', capacity ?? null, ['storage']));
  }
  if (typeof storage === 'string' && compareQuantities(storage, '0') <= 0) {
    faults.push(invalid('spec.capacity[storage]', storage, 'must be greater than zero'));
  }
  checkOneOf(spec.persistentVolumeReclaimPolicy, 'spec.persistentVolumeReclaimPolicy', RECLAIM, faults);
  const affinity = objectOf(spec, 'nodeAffinity');
  const places = objectOf(affinity, 'required');
  if (affinity !== undefined && places === undefined) {
    faults.push(required('spec.nodeAffinity.required', 'must specify required node constraints'));
  }
  checkNodeSelector(places, 'spec.nodeAffinity.required', faults);
  const sources = Object.fromEntries(
    Object.entries(spec).filter(([key, value]) => isJsonObject(value) && !NOT_SOURCES.has(key)),
  );
  if (Object.keys(sources).length === 0) faults.push(required('spec', 'must specify a volume type'));
  else validateVolumeSource(sources, 'spec', faults);
  const driven = objectOf(spec, 'csi');
  if (driven !== undefined) checkDriven(driven, faults);
  const local = objectOf(spec, 'local');
  if (local !== undefined) {
    if (textOf(local, 'path') === '') faults.push(required('spec.local.path'));
    checkBackSteps(textOf(local, 'path'), 'spec.local.path', faults);
    if (spec.nodeAffinity === undefined)
      faults.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  }
  checkClassName(spec, 'storageClassName', 'spec.storageClassName', faults);
  checkOneOf(spec.volumeMode, 'spec.volumeMode', VOLUME_MODES, faults);
}

const SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeStageSecretRef',
  'nodeExpandSecretRef',
];

/** What a volume of a CSI driver has beyond that of a pod (validateCSIPersistentVolumeSource). */
function checkDriven(source: JsonObject, faults: Faults): void {
  if (textOf(source, 'volumeHandle') === '') faults.push(required('spec.csi.volumeHandle'));
  for (const key of SECRETS) {
    const secret = objectOf(source, key);
    if (secret === undefined) continue;
    checkName(secret.name, `spec.csi.${key}.name`, subdomainProblems, faults);
    checkName(secret.namespace, `spec.csi.${key}.namespace`, dnsLabelProblems, faults);
  }
}

/** The source of a volume does not change. */
export function validateVolumeUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const before = objectOf(old, 'spec') ?? {};
  const parameterSourceOf = (each: JsonObject) =>
    Object.fromEntries(Object.entries(each).filter(([key, value]) => isJsonObject(value) && !NOT_SOURCES.has(key)));
  if (!jsonEqual(parameterSourceOf(spec), parameterSourceOf(before))) {
    const text = 'spec.persistentvolumesource is immutable after creation';
    faults.push(
      forbidden('spec.persistentvolumesource', `${text}\n${difference('core.PersistentVolumeSource', spec, before)}`),
    );
  }
  if (before.nodeAffinity !== undefined && !jsonEqual(spec.nodeAffinity, before.nodeAffinity)) {
    faults.push(invalid('nodeAffinity', spec.nodeAffinity ?? null, 'field is immutable'));
  }
  if (spec.volumeMode !== before.volumeMode) {
    faults.push(invalid('spec.volumeMode', spec.volumeMode ?? null, 'field is immutable'));
  }
}
