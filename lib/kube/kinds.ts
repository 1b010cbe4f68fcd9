import type { GroupVersionResource, ResourceType } from './object';

/** One kind that can be listed, in the version that the API prefers. */
export interface KindSummary extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly verbs: readonly string[];
  /** True when a CustomResourceDefinition made it. */
  readonly custom: boolean;
  /** The operator that brings the kind, as the label of its CustomResourceDefinition says; absent for other kinds. */
  readonly operator?: string;
}

/** `pods`, `instances.kudo.dev`: the name of a resource across the API, and of its CRD. */
export function resourceName(resource: Pick<GroupVersionResource, 'group' | 'resource'>): string {
  return resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
}

/**
 * The kinds that can be listed, one version of each: the most stable and newest (Kubernetes version priority). Sorted by
 * group, then kind.
 *
 * @param operatorByCrd of the names of all CustomResourceDefinitions, the operator that brings each one; undefined for none
 */
export function summarizeKinds(
  resources: readonly ResourceType[],
  operatorByCrd: ReadonlyMap<string, string | undefined>,
): KindSummary[] {
  const bestByName = new Map<string, ResourceType>();
  for (const resource of resources) {
    if (!resource.verbs.includes('list')) continue;
    const known = bestByName.get(resourceName(resource));
    if (known === undefined || compareApiVersions(resource.version, known.version) < 0) {
      bestByName.set(resourceName(resource), resource);
    }
  }
  return [...bestByName.values()]
    .map(({ group, version, resource, kind, namespaced, shortNames, verbs }) => {
      const name = { group, version, resource, kind, namespaced, shortNames, verbs };
      const operator = operatorByCrd.get(resourceName(name));
      const custom = operatorByCrd.has(resourceName(name));
      return { ...name, custom, ...(operator === undefined ? {} : { operator }) };
    })
    .sort((a, b) => compareText(a.group, b.group) || compareText(a.kind, b.kind));
}

/**
 * Negative when `a` is preferred: GA before beta before alpha, then the higher number (apimachinery
 * pkg/version/helpers.go CompareKubeAwareVersionStrings).
 */
export function compareApiVersions(a: string, b: string): number {
  const [stageA, majorA, minorA] = versionParts(a);
  const [stageB, majorB, minorB] = versionParts(b);
  return stageA - stageB || majorB - majorA || minorB - minorA || compareText(a, b);
}

const STAGES = ['', 'beta', 'alpha'];

function versionParts(version: string): readonly [stage: number, major: number, minor: number] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [STAGES.length, 0, 0];
  const [, major = '0', stage = '', minor = '0'] = match;
  return [STAGES.indexOf(stage), Number(major), Number(minor)];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
