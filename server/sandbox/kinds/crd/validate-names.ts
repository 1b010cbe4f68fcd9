import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { dnsLabel1035Problems, subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { objectOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';

const APPROVAL = 'api-approved.kubernetes.io';
const LINK = 'https://github.com/kubernetes/enhancements/pull/1111';

/** Group, scope and names of a definition (apiextensions validation ValidateCustomResourceDefinitionSpec). */
export function validateNames(crd: JsonObject, faults: Faults): void {
  const spec = objectOf(crd, 'spec') ?? {};
  const names = objectOf(spec, 'names') ?? {};
  validateGroup(crd, textOf(spec, 'group'), faults);
  const scope = textOf(spec, 'scope');
  if (scope === '') faults.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    faults.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  }
  for (const key of ['plural', 'singular', 'kind', 'listKind']) {
    if (textOf(names, key) === '') faults.push(required(`spec.names.${key}`));
  }
  for (const key of ['plural', 'singular']) {
    const name = textOf(names, key);
    if (name !== '') checkLabel(`spec.names.${key}`, name, faults);
  }
  for (const key of ['kind', 'listKind']) {
    const name = textOf(names, key);
    if (name === '') continue;
    for (const problem of dnsLabel1035Problems(name.toLowerCase())) {
      const text = `may have mixed case, but should otherwise match: ${problem}`;
      faults.push(invalid(`spec.names.${key}`, name, text));
    }
  }
  if (textOf(names, 'kind') !== '' && names.kind === names.listKind) {
    faults.push(invalid('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'));
  }
  for (const key of ['shortNames', 'categories']) {
    for (const [index, name] of textsOf(names, key).entries()) checkLabel(`spec.names.${key}[${index}]`, name, faults);
  }
}

function checkLabel(field: string, name: string, faults: Faults): void {
  for (const problem of dnsLabel1035Problems(name)) faults.push(invalid(field, name, problem));
}

function validateGroup(crd: JsonObject, group: string, faults: Faults): void {
  if (group === '') {
    faults.push(required('spec.group'));
    return;
  }
  for (const problem of subdomainProblems(group)) faults.push(invalid('spec.group', group, problem));
  if (!group.includes('.')) faults.push(invalid('spec.group', group, 'should be a domain with at least one dot'));
  if (!/(^|\.)(k8s\.io|kubernetes\.io)$/.test(group)) return;
  const annotations = objectOf(objectOf(crd, 'metadata'), 'annotations');
  const approval = isJsonObject(annotations) ? textOf(annotations, APPROVAL) : '';
  const field = `metadata.annotations[${APPROVAL}]`;
  if (approval === '') {
    faults.push(required(field, `protected groups must have approval annotation "${APPROVAL}", see ${LINK}`));
  } else if (!approval.startsWith('http') && !approval.startsWith('unapproved')) {
    const text = `protected groups must have approval annotation "${APPROVAL}" with either a URL or a reason starting with "unapproved", see ${LINK}`;
    faults.push(invalid(field, approval, text));
  }
}

/** A definition is named after what it defines; checked when it is made. */
export function validateOwnName(crd: JsonObject, faults: Faults): void {
  const spec = objectOf(crd, 'spec') ?? {};
  const wanted = `${textOf(objectOf(spec, 'names'), 'plural')}.${textOf(spec, 'group')}`;
  for (const key of ['generateName', 'name']) {
    const name = textOf(objectOf(crd, 'metadata'), key);
    if (name !== '' && name !== wanted) {
      faults.push(invalid(`metadata.${key}`, name, 'must be spec.names.plural+"."+spec.group'));
    }
  }
}

const FIXED = [
  ['spec.group', ['group']],
  ['spec.scope', ['scope']],
  ['spec.names.plural', ['names', 'plural']],
  ['spec.names.kind', ['names', 'kind']],
] as const;

/** What cannot change once the definition is established. */
export function validateFixedNames(crd: JsonObject, old: JsonObject, faults: Faults): void {
  const conditions = objectOf(old, 'status')?.conditions;
  const established =
    Array.isArray(conditions) &&
    conditions.some((each) => isJsonObject(each) && each.type === 'Established' && each.status === 'True');
  if (!established) return;
  for (const [field, path] of FIXED) {
    const [now, before] = [crd, old].map((each) => {
      const spec = objectOf(each, 'spec');
      return path.length === 1 ? textOf(spec, path[0]) : textOf(objectOf(spec, path[0]), path[1]);
    });
    if (now !== before) faults.push(invalid(field, now, 'field is immutable'));
  }
}
