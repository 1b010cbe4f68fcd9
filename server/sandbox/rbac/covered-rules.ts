import type { PolicyRule } from './rbac';

/** What of `wanted` no single rule of `owned` gives, in the smallest pieces (Kubernetes component-helpers auth/rbac/validation Covers). */
export function missingRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  let room = MAX_PIECES;
  const all = wanted.flatMap((rule) => {
    const count = countPieces(rule);
    if (count > room) return [rule];
    room -= count;
    return pieces(rule);
  });
  return all.filter((piece) => !owned.some((rule) => covers(rule, piece)));
}

/**
 * A role of some kilobytes can name a thousand million combinations. What is beyond this stays in one piece, and is only given by
 * who has it in one piece.
 */
const MAX_PIECES = 10_000;

function countPieces({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): number {
  const ofResources = apiGroups.length * resources.length * Math.max(1, resourceNames.length);
  return (ofResources + nonResourceURLs.length) * verbs.length;
}

const NOTHING: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

function pieces(rule: PolicyRule): PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const ofResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...NOTHING,
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          resourceNames,
        })),
      ),
    ),
  );
  const ofPaths = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({ ...NOTHING, nonResourceURLs: [url], verbs: [verb] })),
  );
  return [...ofResources, ...ofPaths];
}

function covers(owner: PolicyRule, piece: PolicyRule): boolean {
  const isNamed = owner.resourceNames.length > 0;
  const namesFit = piece.resourceNames.length === 0 ? !isNamed : !isNamed || hasAll(owner, piece, 'resourceNames');
  return (
    namesFit &&
    (owner.verbs.includes('*') || hasAll(owner, piece, 'verbs')) &&
    (owner.apiGroups.includes('*') || hasAll(owner, piece, 'apiGroups')) &&
    piece.resources.every((resource) => hasResource(owner.resources, resource)) &&
    piece.nonResourceURLs.every((url) => owner.nonResourceURLs.some((own) => hasPath(own, url)))
  );
}

function hasAll(owner: PolicyRule, piece: PolicyRule, key: 'verbs' | 'apiGroups' | 'resourceNames'): boolean {
  return piece[key].every((each) => owner[key].includes(each));
}

function hasResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash > 0 && owned.includes(`*${resource.slice(slash)}`);
}

function hasPath(owned: string, url: string): boolean {
  return owned === '*' || owned === url || (owned.endsWith('*') && url.startsWith(owned.replace(/\*+$/, '')));
}

/** Rules as the API server prints them: pieces of one resource together, each rule once, in order. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const bySubject = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const subject = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs]);
    const isPath = rule.nonResourceURLs.length > 0;
    const key = isPath ? `${subject} ${rule.verbs.join()}` : subject;
    const known = bySubject.get(key);
    bySubject.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] });
  }
  return [...new Set([...bySubject.values()].map(describe))].sort().join('\n');
}

function describe(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const shown = parts.filter(([, texts]) => texts.length > 0).map(([name, texts]) => `${name}:${quotedList(texts)}`);
  return `{${shown.join(', ')}}`;
}

/** A list of texts as Go's `%q` prints it. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
}
