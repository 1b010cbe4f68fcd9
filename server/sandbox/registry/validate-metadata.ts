import { isJsonObject, jsonEqual } from '@/lib/json/json';
import {
  dnsLabelProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from '@/lib/kube/label-syntax';
import { type KubeObject, type ObjectMeta, parseApiVersion } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { fieldForbidden, invalid, required, tooLong } from '@/lib/schema/field-error';
import type { FieldError } from '../kinds/base/strategy';
import type { ResourceInfo } from './resource-info';

/** The rules on `metadata` that hold for every kind (apimachinery api/validation ValidateObjectMeta). */
export function validateMetadata(info: ResourceInfo, { metadata }: KubeObject): FieldError[] {
  const nameProblems = nameCheck(info);
  const { name = '', generateName = '' } = metadata;
  const stem = generateName.replace(/-$/, 'a');
  return [
    ...(generateName === '' ? [] : each('metadata.generateName', generateName, nameProblems(stem))),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : each('metadata.name', name, nameProblems(name))),
    ...validateMaps(metadata),
    ...validateFinalizers(info, metadata),
  ];
}

const FIXED = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** What an update may not change (apimachinery ValidateObjectMetaUpdate). */
export function validateMetadataUpdate(info: ResourceInfo, object: KubeObject, old: KubeObject): FieldError[] {
  const next = object.metadata;
  const before = old.metadata;
  const changed = FIXED.filter((field) => !jsonEqual(next[field] ?? null, before[field] ?? null));
  return [
    ...validateFinalizers(info, next),
    ...validateNewFinalizers(next, before),
    ...changed.map((field) => invalid(`metadata.${field}`, next[field], 'field is immutable')),
    ...validateMaps(next),
  ];
}

function each(field: string, value: unknown, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalid(field, value, problem));
}

/** Labels, annotations and owners. */
function validateMaps(metadata: ObjectMeta): FieldError[] {
  const { labels, annotations = {} } = metadata;
  const errors = Object.entries(isJsonObject(labels) ? labels : {}).flatMap(([key, value]) => [
    ...each('metadata.labels', key, qualifiedNameProblems(key)),
    ...each('metadata.labels', value, labelValueProblems(String(value))),
  ]);
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    errors.push(...each('metadata.annotations', key, qualifiedNameProblems(key.toLowerCase())));
  }
  if (size > limits.annotationsBytes) errors.push(tooLong('metadata.annotations', limits.annotationsBytes));
  return [...errors, ...validateOwners(metadata)];
}

const OWNERS = 'metadata.ownerReferences';

function validateOwners({ ownerReferences = [] }: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const owner of ownerReferences) {
    const apiVersion = owner.apiVersion ?? '';
    if (apiVersion.split('/').length > 2 || parseApiVersion(apiVersion).version === '')
      errors.push(invalid(`${OWNERS}.apiVersion`, apiVersion, 'version must not be empty'));
    for (const name of ['kind', 'name', 'uid'] as const) {
      if ((owner[name] ?? '') === '') errors.push(invalid(`${OWNERS}.${name}`, '', 'must not be empty'));
    }
    if (apiVersion === 'v1' && owner.kind === 'Event')
      errors.push(invalid(OWNERS, owner, '/v1, Kind=Event is disallowed from being an owner'));
  }
  const [first, second] = ownerReferences.filter((owner) => owner.controller === true);
  if (first === undefined || second === undefined) return errors;
  const problem = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  return [...errors, invalid(OWNERS, ownerReferences, problem)];
}

const FINALIZERS = 'metadata.finalizers';
const STANDARD_FINALIZERS = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Built-in kinds ask for a domain in the name; custom resources take any qualified name (KUDO's own has no domain). */
function validateFinalizers({ custom }: ResourceInfo, { finalizers = [] }: ObjectMeta): FieldError[] {
  const errors = finalizers.flatMap((finalizer, index) => {
    const problems = each(FINALIZERS, finalizer, qualifiedNameProblems(finalizer));
    if (problems.length > 0 || custom !== undefined || finalizer.includes('/')) return problems;
    if (STANDARD_FINALIZERS.includes(finalizer)) return [];
    const problem = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`${FINALIZERS}[${index}]`, finalizer, problem)];
  });
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(FINALIZERS, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

function validateNewFinalizers({ finalizers = [] }: ObjectMeta, before: ObjectMeta): FieldError[] {
  const added = finalizers.filter((finalizer) => !before.finalizers?.includes(finalizer));
  if (before.deletionTimestamp === undefined || added.length === 0) return [];
  const shown = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`;
  const problem = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [fieldForbidden(FINALIZERS, problem)];
}

const LABEL_NAMES = new Set(['services', 'namespaces']);
const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** How the names of a kind are checked. */
function nameCheck(info: ResourceInfo): (name: string) => string[] {
  if (info.group === '' && LABEL_NAMES.has(info.resource)) return dnsLabelProblems;
  // The APIService of the core group is `v1.`, which is no domain.
  const isSegment = info.group === RBAC_GROUP || info.resource === 'events' || info.resource === 'apiservices';
  if (isSegment) return pathSegmentProblems;
  return subdomainProblems;
}
