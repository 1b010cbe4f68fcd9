import type { KubeObject } from '@/lib/kube/object';
import type { SandboxCore } from '../http/core';
import type { ListPage } from '../http/list';
import type { ResourceInfo } from '../registry/resource-info';

/** A list as a Table (meta/v1), as JSON text. */
export function listTable(
  core: SandboxCore,
  info: ResourceInfo,
  objects: readonly KubeObject[],
  page: ListPage,
  query: URLSearchParams,
): string {
  return JSON.stringify(table(core, info, objects, { resourceVersion: page.resourceVersion }, query));
}

/** One object as a Table of one row, as JSON text. */
export function objectTable(core: SandboxCore, info: ResourceInfo, object: KubeObject, query: URLSearchParams): string {
  return JSON.stringify(table(core, info, [object], { resourceVersion: object.metadata.resourceVersion }, query));
}

function table(
  _core: SandboxCore,
  _info: ResourceInfo,
  objects: readonly KubeObject[],
  metadata: object,
  _query: URLSearchParams,
): object {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', description: 'Name', priority: 0 },
      { name: 'Created At', type: 'date', format: '', description: 'CreationTimestamp', priority: 0 },
    ],
    rows: objects.map((object) => ({
      cells: [object.metadata.name, object.metadata.creationTimestamp],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  };
}
