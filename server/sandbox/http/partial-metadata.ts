import type { KubeObject } from '@/lib/kube/object';
import type { ListPage } from './list';

/** An object reduced to its metadata (meta/v1 PartialObjectMetadata). */
export function partialMetadata(object: KubeObject): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

/** A page reduced to metadata, as JSON text. */
export function partialMetadataList(objects: readonly KubeObject[], page: ListPage): string {
  const metadata: { [key: string]: unknown } = { resourceVersion: page.resourceVersion };
  if (page.continueToken !== '') metadata.continue = page.continueToken;
  if (page.remaining !== undefined) metadata.remainingItemCount = page.remaining;
  return JSON.stringify({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    items: objects.map(partialMetadata),
  });
}
