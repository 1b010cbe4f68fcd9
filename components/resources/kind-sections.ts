import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import type { GroupVersionResource } from '@/lib/kube/object';

/** A part of the landing page: a title and the kinds under it. */
export interface KindSection {
  readonly title: string;
  /** True for kinds of CRDs; they come first. */
  readonly custom: boolean;
  readonly kinds: readonly KindSummary[];
}

/** The section of built-in kinds, by API group, and by resource where a group is mixed. */
const SECTION_BY_GROUP: ReadonlyMap<string, string> = new Map([
  ['apps', 'Workloads'],
  ['batch', 'Workloads'],
  ['autoscaling', 'Workloads'],
  ['policy', 'Workloads'],
  ['networking.k8s.io', 'Network'],
  ['discovery.k8s.io', 'Network'],
  ['storage.k8s.io', 'Storage'],
  ['rbac.authorization.k8s.io', 'Access'],
  ['authorization.k8s.io', 'Access'],
  ['certificates.k8s.io', 'Access'],
]);

const SECTION_BY_CORE_RESOURCE: ReadonlyMap<string, string> = new Map([
  ['pods', 'Workloads'],
  ['replicationcontrollers', 'Workloads'],
  ['podtemplates', 'Workloads'],
  ['configmaps', 'Configuration'],
  ['secrets', 'Configuration'],
  ['limitranges', 'Configuration'],
  ['resourcequotas', 'Configuration'],
  ['services', 'Network'],
  ['endpoints', 'Network'],
  ['persistentvolumes', 'Storage'],
  ['persistentvolumeclaims', 'Storage'],
  ['serviceaccounts', 'Access'],
]);

const BUILT_IN_ORDER = ['Workloads', 'Configuration', 'Network', 'Storage', 'Access', 'Cluster'] as const;

/** Custom kinds by API group first (ours before others), then the built-in ones by what they are for. */
export function sectionsOf(kinds: readonly KindSummary[]): KindSection[] {
  const customGroups = [...new Set(kinds.filter(({ custom }) => custom).map(({ group }) => group))];
  customGroups.sort((a, b) => Number(isOurs(b)) - Number(isOurs(a)) || (a < b ? -1 : 1));
  const custom = customGroups.map((group) => ({
    title: group,
    custom: true,
    kinds: kinds.filter((kind) => kind.custom && kind.group === group),
  }));
  const builtIn = BUILT_IN_ORDER.map((title) => ({
    title,
    custom: false,
    kinds: kinds.filter((kind) => !kind.custom && builtInSection(kind) === title),
  }));
  return [...custom, ...builtIn].filter((section) => section.kinds.length > 0);
}

/** Keeps the kinds whose kind, plural, group or short name holds every word of the filter. */
export function filterKinds(kinds: readonly KindSummary[], filter: string): readonly KindSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return kinds;
  return kinds.filter((kind) => {
    const text = `${kind.kind} ${resourceName(kind)} ${kind.shortNames.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function builtInSection({ group, resource }: KindSummary): string {
  const section = group === '' ? SECTION_BY_CORE_RESOURCE.get(resource) : SECTION_BY_GROUP.get(group);
  return section ?? 'Cluster';
}

function isOurs(group: string): boolean {
  return group === 'kudo.dev' || group.endsWith('.kudo.dev');
}

/** One kind by its type; undefined while the kinds are read, or when there is none. */
export function findKind(
  kinds: readonly KindSummary[] | undefined,
  type: GroupVersionResource,
): KindSummary | undefined {
  return kinds?.find((kind) => resourceName(kind) === resourceName(type));
}
