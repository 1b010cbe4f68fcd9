import { arrayAt, isJsonObject, objectAt, stringAt } from '@/lib/json/json';

type Labels = { readonly [key: string]: string } | undefined;

/**
 * True when a LabelSelector (Kubernetes meta/v1: matchLabels and matchExpressions) chooses these labels.
 * An empty selector chooses everything, an absent one nothing.
 */
export function matchesSelector(selector: unknown, labels: Labels): boolean {
  if (!isJsonObject(selector)) return false;
  if (!matchesLabels(objectAt(selector, 'matchLabels'), labels)) return false;
  return arrayAt(selector, 'matchExpressions').every((requirement) => matchesRequirement(requirement, labels));
}

/** True when every pair of the map is among the labels. */
export function matchesLabels(wanted: unknown, labels: Labels): boolean {
  if (!isJsonObject(wanted)) return false;
  return Object.keys(wanted).every(
    (key) => labels !== undefined && Object.hasOwn(labels, key) && labels[key] === wanted[key],
  );
}

function matchesRequirement(requirement: unknown, labels: Labels): boolean {
  const key = stringAt(requirement, 'key') ?? '';
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  const values = arrayAt(requirement, 'values');
  switch (stringAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
