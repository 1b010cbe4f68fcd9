import { isJsonObject, jsonEqual } from '@/lib/json/json';
import {
  dnsLabelProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from '@/lib/kube/label-syntax';
import type { KubeObject, ObjectMeta } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import type { FieldError } from '../kinds/base/strategy';
import type { ResourceInfo } from './resource-info';

/** The rules on `metadata` that hold for every kind (apimachinery api/validation ValidateObjectMeta). */
export function validateMetadata(info: ResourceInfo, { metadata }: KubeObject): FieldError[] {
  return validateObjectMeta(metadata, nameCheck(info), info.custom !== undefined);
}

/**
 * The rules on any ObjectMeta, places begin with `metadata`.
 *
 * @param anyFinalizer finalizers need no domain in their names
 */
export function validateObjectMeta(
  metadata: ObjectMeta,
  nameProblems: (name: string) => string[],
  anyFinalizer: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if (metadata.generateName !== undefined && metadata.generateName !== '') {
    const stem = metadata.generateName.replace(/-$/, 'a');
    for (const problem of nameProblems(stem))
      errors.push(invalidValue('metadata.generateName', metadata.generateName, problem));
  }
  if (metadata.name === undefined || metadata.name === '') {
    errors.push({
      field: 'metadata.name',
      type: 'FieldValueRequired',
      message: 'Required value: name or generateName is required',
    });
  } else {
    for (const problem of nameProblems(metadata.name))
      errors.push(invalidValue('metadata.name', metadata.name, problem));
  }
  errors.push(...validateLabels(metadata.labels, 'metadata.labels'));
  errors.push(...validateAnnotations(metadata.annotations));
  errors.push(...validateOwners(metadata));
  errors.push(...validateFinalizers(anyFinalizer, metadata));
  return errors;
}

/** What an update may not change (apimachinery ValidateObjectMetaUpdate). */
export function validateMetadataUpdate(info: ResourceInfo, object: KubeObject, old: KubeObject): FieldError[] {
  const next = object.metadata;
  const before = old.metadata;
  const errors: FieldError[] = [];
  errors.push(...validateNewFinalizers(info, next, before));
  const fixed = [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const;
  for (const field of fixed) {
    if (!jsonEqual(next[field] ?? null, before[field] ?? null)) {
      errors.push(immutable(`metadata.${field}`, next[field]));
    }
  }
  errors.push(...validateLabels(next.labels, 'metadata.labels'));
  errors.push(...validateAnnotations(next.annotations));
  errors.push(...validateOwners(next));
  return errors;
}

export function immutable(field: string, value: unknown): FieldError {
  return invalidValue(field, value ?? null, 'field is immutable');
}

export function invalidValue(field: string, value: unknown, problem: string): FieldError {
  return { field, type: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${problem}` };
}

export function validateLabels(labels: unknown, field: string): FieldError[] {
  if (!isJsonObject(labels)) return [];
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of qualifiedNameProblems(key)) errors.push(invalidValue(field, key, problem));
    for (const problem of labelValueProblems(String(value))) errors.push(invalidValue(field, value, problem));
  }
  return errors;
}

function validateAnnotations(annotations: ObjectMeta['annotations']): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const problem of qualifiedNameProblems(key.toLowerCase())) {
      errors.push(invalidValue('metadata.annotations', key, problem));
    }
  }
  if (size > limits.annotationsBytes) {
    errors.push({
      field: 'metadata.annotations',
      type: 'FieldValueTooLong',
      message: `Too long: may not be more than ${limits.annotationsBytes} bytes`,
    });
  }
  return errors;
}

function validateOwners({ ownerReferences }: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'metadata.ownerReferences';
  for (const owner of ownerReferences ?? []) {
    const parts = (owner.apiVersion ?? '').split('/');
    const version = parts.length === 1 ? parts[0] : parts.length === 2 ? parts[1] : '';
    if ((version ?? '') === '') {
      errors.push(invalidValue(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty'));
    }
    for (const name of ['kind', 'name', 'uid'] as const) {
      if ((owner[name] ?? '') === '') errors.push(invalidValue(`${field}.${name}`, '', 'must not be empty'));
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      errors.push(invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
  }
  const controllers = (ownerReferences ?? []).filter((owner) => owner.controller === true);
  const [first, second] = controllers;
  if (first !== undefined && second !== undefined) {
    const problem = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
    errors.push(invalidValue(field, ownerReferences, problem));
  }
  return errors;
}

const STANDARD_FINALIZERS = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Built-in kinds ask for a domain in the name; custom resources take any qualified name (KUDO's own has no domain). */
function validateFinalizers(any: boolean, { finalizers }: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, finalizer] of (finalizers ?? []).entries()) {
    for (const problem of qualifiedNameProblems(finalizer)) {
      errors.push(invalidValue('metadata.finalizers', finalizer, problem));
    }
    if (
      !any &&
      !finalizer.includes('/') &&
      !STANDARD_FINALIZERS.includes(finalizer) &&
      qualifiedNameProblems(finalizer).length === 0
    ) {
      errors.push(
        invalidValue(
          `metadata.finalizers[${index}]`,
          finalizer,
          'name is neither a standard finalizer name nor is it fully qualified',
        ),
      );
    }
  }
  if (finalizers?.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      invalidValue('metadata.finalizers', finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'),
    );
  }
  return errors;
}

function validateNewFinalizers(info: ResourceInfo, next: ObjectMeta, before: ObjectMeta): FieldError[] {
  const errors = validateFinalizers(info.custom !== undefined, next);
  if (before.deletionTimestamp === undefined) return errors;
  const added = (next.finalizers ?? []).filter((finalizer) => !before.finalizers?.includes(finalizer));
  if (added.length > 0) {
    errors.push({
      field: 'metadata.finalizers',
      type: 'FieldValueForbidden',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((each) => JSON.stringify(each)).join(', ')}}`,
    });
  }
  return errors;
}

const LABEL_NAMES = new Set(['services', 'namespaces']);
const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** How the names of a kind are checked. */
function nameCheck(info: ResourceInfo): (name: string) => string[] {
  if (info.group === '' && LABEL_NAMES.has(info.resource)) return dnsLabelProblems;
  if (info.group === RBAC_GROUP || info.resource === 'events') return pathSegmentProblems;
  return subdomainProblems;
}
