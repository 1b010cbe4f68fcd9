import type { KubeObject } from '@/lib/kube/object';

/** {@link isOlderVersion} of two states of one object. */
export function isOlder(object: KubeObject, than: KubeObject): boolean {
  return isOlderVersion(object.metadata.resourceVersion ?? '', than.metadata.resourceVersion ?? '');
}

/** resourceVersions are compared as numbers, which Kubernetes guarantees since 1.35 (KEP-5504); any other text counts as newer. */
export function isOlderVersion(a: string, b: string): boolean {
  if (!/^[0-9]+$/.test(a) || !/^[0-9]+$/.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}

/** Objects that are computed anew for each list, such as metrics, have no version and are never the same. */
export function isSameVersion(
  { metadata: { resourceVersion: before } }: KubeObject,
  { metadata }: KubeObject,
): boolean {
  return before !== undefined && before !== '' && before === metadata.resourceVersion;
}
