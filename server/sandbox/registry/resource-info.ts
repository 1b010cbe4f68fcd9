import type { ServedResource } from '../api';
import type { KindStrategy } from '../kinds/base/strategy';

export interface SubresourceInfo {
  readonly name: string;
  readonly kind: string;
  /** Empty where group and version are those of the resource. */
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** One served version of one resource: what discovery says of it, and how its objects are kept. */
export interface ResourceInfo extends ServedResource {
  readonly listKind: string;
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly SubresourceInfo[];
  /** Where the objects of all versions are kept: `configmaps`, `deployments.apps`. */
  readonly storage: string;
  readonly strategy: KindStrategy;
  /** Set for custom resources. */
  readonly custom: CustomInfo | undefined;
}

/** What a CustomResourceDefinition says of one of its versions. */
export interface CustomInfo {
  readonly crdName: string;
  readonly crdUid: string;
  readonly storageVersion: string;
  readonly columns: readonly PrinterColumn[];
  readonly scale: ScalePaths | undefined;
  readonly hasStatus: boolean;
  /** `spec.versions[].selectableFields[].jsonPath` without the leading dot. */
  readonly selectableFields: readonly string[];
  /** `spec.versions[].schema.openAPIV3Schema`. */
  readonly schema: unknown;
  /** The text of the Warning header of a deprecated version. */
  readonly deprecation: string | undefined;
  readonly terminating: boolean;
}

/** `spec.versions[].additionalPrinterColumns[]`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** `spec.versions[].subresources.scale`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** `deployments.apps`, `configmaps`: how a resource is named in messages and as a place of storage. */
export function groupResourceName(group: string, resource: string): string {
  return group === '' ? resource : `${resource}.${group}`;
}
