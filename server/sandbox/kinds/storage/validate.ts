import { isJsonObject, type JsonObject, jsonEqual, stringAt } from '@/lib/json/json';
import { subdomainProblems } from '@/lib/kube/label-syntax';
import { compareQuantities } from '@/lib/kube/quantity';
import { objectOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import { checkFixed } from '../core/validate';
import { validateVolumeSource } from '../pods/validate-pod-spec';
import { difference } from '../pods/validate-pod-update';
import { checkLabelSelector } from '../validation/selectors';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** What claims and volumes have in common. */
function validateBoth(spec: CheckedField, noModes: string): void {
  const modes = spec.at('accessModes');
  if (modes.items.length === 0) modes.required(noModes);
  for (const mode of modes.texts) if (!ACCESS_MODES.includes(mode)) modes.notSupported(ACCESS_MODES, mode);
  spec.at('storageClassName').check((name) => (name === '' ? [] : subdomainProblems(name)));
  spec.at('volumeMode').oneOf(['Block', 'Filesystem']);
}

function sizeProblems(size: string): string[] {
  return compareQuantities(size, '0') <= 0 ? ['must be greater than zero'] : [];
}

/** The spec of a PersistentVolumeClaim (Kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimSpec). */
export function validateClaim(object: CheckedField): void {
  const spec = object.at('spec');
  validateBoth(spec, 'at least 1 access mode is required');
  checkLabelSelector(spec.at('selector'));
  const modes = spec.at('accessModes');
  if (modes.texts.includes('ReadWriteOncePod') && modes.items.length > 1) {
    modes.forbidden('may not use ReadWriteOncePod with other access modes');
  }
  // Its path leaves out `requests`.
  const size = spec.at('resources', 'requests', 'storage');
  const shown = spec.at('resources').key('storage');
  if (!size.isGiven) shown.required();
  for (const problem of size.isGiven ? sizeProblems(size.text) : []) shown.invalid(problem, size.value);
}

const BOUND =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** A claim may be bound once, and grow when it is. */
export function validateClaimUpdate(object: CheckedField, old: JsonObject): void {
  const spec = object.at('spec');
  const before = objectOf(old, 'spec') ?? {};
  const isBound = stringAt(old, 'status', 'phase') === 'Bound';
  const free = [
    ...(before.volumeName === undefined ? ['volumeName'] : []),
    ...(before.storageClassName === undefined ? ['storageClassName'] : []),
    ...(isBound ? ['resources', 'volumeAttributesClassName'] : []),
  ];
  const rest = (each: JsonObject) => Object.fromEntries(Object.entries(each).filter(([key]) => !free.includes(key)));
  if (!jsonEqual(rest(spec.object), rest(before))) {
    spec.forbidden(`${BOUND}\n${difference('core.PersistentVolumeClaimSpec', spec.object, before)}`);
  }
  const size = spec.at('resources', 'requests', 'storage');
  const then = stringAt(before, 'resources', 'requests', 'storage');
  if (isBound && size.isGiven && then !== undefined && compareQuantities(size.text, then) < 0) {
    size.forbidden('field can not be less than status.capacity');
  }
}

/** Members of the spec of a volume that are no source. */
const NOT_SOURCES = ['capacity', 'claimRef', 'nodeAffinity'];

function sourcesOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).filter(([key, value]) => isJsonObject(value) && !NOT_SOURCES.includes(key)),
  );
}

export function validateVolume(object: CheckedField): void {
  const spec = object.at('spec');
  validateBoth(spec, '');
  const capacity = spec.at('capacity');
  const names = Object.keys(capacity.object);
  if (names.length === 0) capacity.required();
  if (names.join() !== 'storage') capacity.notSupported(['storage'], capacity.value ?? null);
  capacity.key('storage').check(sizeProblems);
  spec.at('persistentVolumeReclaimPolicy').oneOf(['Delete', 'Recycle', 'Retain']);
  if (Object.keys(sourcesOf(spec.object)).length === 0) spec.required('must specify a volume type');
  validateVolumeSource(spec, NOT_SOURCES);
}

/** The source of a volume does not change. */
export function validateVolumeUpdate(object: CheckedField, old: JsonObject): void {
  const spec = object.at('spec');
  const before = objectOf(old, 'spec') ?? {};
  if (!jsonEqual(sourcesOf(spec.object), sourcesOf(before))) {
    const text = 'spec.persistentvolumesource is immutable after creation';
    const shown = difference('core.PersistentVolumeSource', spec.object, before);
    spec.at('persistentvolumesource').forbidden(`${text}\n${shown}`);
  }
  checkFixed(spec, before, 'volumeMode');
}
