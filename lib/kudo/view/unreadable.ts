/** Kinds that people look for first, as kubectl names them. */
const FIRST: readonly string[] = [
  'pods',
  'statefulsets.apps',
  'deployments.apps',
  'services',
  'persistentvolumeclaims',
  'configmaps',
  'secrets',
];
const NAMED = 3;

/**
 * The right that is missing, as a sentence: `You may not list pods and 12 more kinds in namespace demo.` Empty without any.
 *
 * @param resources as kubectl names them, `statefulsets.apps`
 */
export function unreadableText(resources: readonly string[], namespace: string): string {
  if (resources.length === 0) return '';
  const rank = (resource: string) => (FIRST.includes(resource) ? FIRST.indexOf(resource) : FIRST.length);
  const sorted = [...resources].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  // One more is named instead of counted.
  const named = sorted.slice(0, sorted.length === NAMED + 1 ? NAMED + 1 : NAMED);
  const rest = sorted.length - named.length;
  const parts = rest === 0 ? named : [...named, `${rest} more kinds`];
  const list = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return `You may not list ${list} in namespace ${namespace}.`;
}
