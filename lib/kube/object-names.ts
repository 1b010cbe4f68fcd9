import type { KindSummary } from './kinds';
import type { GroupVersionResource } from './object';

/** Which object, and of which kind: what is enough to find it by name. */
export interface FoundName extends GroupVersionResource {
  readonly kind: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** The names of the objects of all kinds, so far as they were read. */
export interface ObjectNames {
  readonly objects: readonly FoundName[];
  /** Kinds that have more objects than were read. */
  readonly more: readonly string[];
}

/** Objects that the cluster makes by itself in great numbers; nobody looks for them by name. */
const NOT_SOUGHT: readonly string[] = [
  'events',
  'endpoints',
  'endpointslices',
  'leases',
  'controllerrevisions',
  'planruns',
  'componentstatuses',
];

/** True for a kind whose objects are found by name. */
export function isSought({ resource, verbs }: Pick<KindSummary, 'resource' | 'verbs'>): boolean {
  return verbs.includes('list') && !NOT_SOUGHT.includes(resource);
}
