import { getAt, type JsonObject, objectAt } from '@/lib/json/json';
import { dnsLabel1035Problems, subdomainProblems } from '@/lib/kube/label-syntax';
import { objectsOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';

const APPROVAL = 'api-approved.kubernetes.io';
const LINK = 'https://github.com/kubernetes/enhancements/pull/1111';

/** Group, scope and names of a definition (apiextensions validation ValidateCustomResourceDefinitionSpec). */
export function validateNames(crd: CheckedField): void {
  const spec = crd.at('spec');
  const names = spec.at('names');
  const group = spec.at('group');
  group.name(groupProblems);
  if (/(^|\.)(k8s\.io|kubernetes\.io)$/.test(group.text)) validateApproval(crd);
  spec.at('scope').name();
  if (spec.at('scope').text !== '') spec.at('scope').oneOf(['Cluster', 'Namespaced']);
  for (const key of ['plural', 'singular']) names.at(key).name(dnsLabel1035Problems);
  for (const key of ['kind', 'listKind']) names.at(key).name(kindProblems);
  const kind = names.at('kind').text;
  if (kind !== '' && kind === names.at('listKind').text) {
    names.at('listKind').invalid('kind and listKind may not be the same');
  }
  for (const name of [...names.at('shortNames').items, ...names.at('categories').items])
    name.check(dnsLabel1035Problems);
}

function kindProblems(kind: string): string[] {
  return dnsLabel1035Problems(kind.toLowerCase()).map(
    (problem) => `may have mixed case, but should otherwise match: ${problem}`,
  );
}

function groupProblems(group: string): string[] {
  return [...subdomainProblems(group), ...(group.includes('.') ? [] : ['should be a domain with at least one dot'])];
}

function validateApproval(crd: CheckedField): void {
  const approval = crd.at('metadata', 'annotations').key(APPROVAL);
  const text = `protected groups must have approval annotation "${APPROVAL}"`;
  if (approval.text === '') approval.required(`${text}, see ${LINK}`);
  else if (!/^(http|unapproved)/.test(approval.text)) {
    approval.invalid(`${text} with either a URL or a reason starting with "unapproved", see ${LINK}`);
  }
}

/** A definition is named after what it defines; checked when it is made. */
export function validateOwnName(crd: CheckedField): void {
  const wanted = `${crd.at('spec', 'names', 'plural').text}.${crd.at('spec', 'group').text}`;
  for (const name of crd.at('metadata').given('generateName', 'name')) {
    name.check((text) => (text === wanted ? [] : ['must be spec.names.plural+"."+spec.group']));
  }
}

/** What cannot change once the definition is established. */
export function validateFixedNames(crd: CheckedField, old: JsonObject): void {
  const conditions = objectsOf(objectAt(old, 'status'), 'conditions');
  if (!conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
  for (const path of [['group'], ['scope'], ['names', 'plural'], ['names', 'kind']]) {
    const field = crd.at('spec', ...path);
    if (field.value !== getAt(old, 'spec', ...path)) field.invalid('field is immutable', field.text);
  }
}
