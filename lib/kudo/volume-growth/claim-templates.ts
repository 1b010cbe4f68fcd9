import { arrayAt, getAt, type JsonObject, stringAt } from '@/lib/json/json';
import { isKubeObject, type KubeObject, parseApiVersion } from '@/lib/kube/object';
import { compareQuantities } from '@/lib/kube/quantity';
import { driftOf } from '@/lib/kudo/drift/drift';
import { GROW_VOLUMES_ANNOTATION } from '@/lib/kudo/names';

/** True for a StatefulSet whose author wants its volumes to grow. */
export function growsVolumes({ apiVersion, kind, metadata }: KubeObject): boolean {
  const isStatefulSet = kind === 'StatefulSet' && parseApiVersion(apiVersion).group === 'apps';
  return isStatefulSet && metadata.annotations?.[GROW_VOLUMES_ANNOTATION] === 'true';
}

/** The size of the volumes of one claim template, as quantities. */
export interface SizeChange {
  readonly template: string;
  readonly from: string;
  readonly to: string;
}

/**
 * How the claim templates of a StatefulSet differ from the live ones: `grown` and `shrunk` only in the size of volumes, and `other` in
 * something that cannot be changed for existing claims.
 */
export type TemplatesChange =
  | { readonly state: 'same' | 'other' }
  | { readonly state: 'grown' | 'shrunk'; readonly sizes: readonly SizeChange[] };

const TEMPLATES = 'spec.volumeClaimTemplates';
const SIZE = /^spec\.volumeClaimTemplates\[(\d+)\]\.spec\.resources\.requests\.storage$/;

/** @param original what was applied last; empty when that is not known */
export function templatesChange(original: JsonObject, wanted: KubeObject, live: KubeObject): TemplatesChange {
  const paths = differingPaths(wanted, live);
  const left = isKubeObject(original) ? differingPaths(original, wanted) : [];
  if (paths.length === 0) return { state: left.every((path) => SIZE.test(path)) ? 'same' : 'other' };
  if (![...paths, ...left].every((path) => SIZE.test(path))) return { state: 'other' };
  const sizes = paths.map((path) => sizeChange(Number(SIZE.exec(path)?.[1]), wanted, live));
  const isShrunk = sizes.some(({ from, to }) => compareQuantities(to, from) < 0);
  return { state: isShrunk ? 'shrunk' : 'grown', sizes };
}

function differingPaths(wanted: KubeObject, live: KubeObject): string[] {
  return driftOf(wanted, live).flatMap(({ path }) => (path.startsWith(TEMPLATES) ? [path] : []));
}

function sizeChange(index: number, wanted: KubeObject, live: KubeObject): SizeChange {
  const template = arrayAt(wanted.spec, 'volumeClaimTemplates')[index];
  return {
    template: stringAt(template, 'metadata', 'name') ?? '',
    from: requestedStorage(arrayAt(live.spec, 'volumeClaimTemplates')[index]),
    to: requestedStorage(template),
  };
}

/** The size that a claim or a claim template asks for; `0` when it names none. */
export function requestedStorage(claim: unknown): string {
  return String(getAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '0');
}
