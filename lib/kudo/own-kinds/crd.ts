import type { JsonObject, JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { CRD_VERSION_ANNOTATION, crdNameOf, OWN_KIND_LABEL } from './names';
import type { OwnKind, OwnVersion } from './types';

/** The operator that brings a kind, for the marks of its CRD. */
export interface CrdSource {
  readonly operator: string;
  /** Of the operator. */
  readonly version: string;
}

/** The CustomResourceDefinition of an own kind: structural schemas, printer columns, the subresources status and scale. */
export function crdOf(kind: OwnKind, { operator, version }: CrdSource): KubeObject {
  const { group, plural, singular, shortNames = [], categories = [] } = kind;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: crdNameOf(kind),
      labels: { [OWN_KIND_LABEL]: operator },
      annotations: { [CRD_VERSION_ANNOTATION]: version },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
        ...(categories.length === 0 ? {} : { categories: [...categories] }),
      },
      // Versions differ only in fields that one adds to the other; verification sees to that.
      conversion: { strategy: 'None' },
      versions: kind.versions.map((each) => versionOf(kind, each)),
    },
  };
}

function versionOf(kind: OwnKind, version: OwnVersion): JsonObject {
  const { name, served, storage, deprecated, scale } = version;
  return {
    name,
    served,
    storage,
    ...(deprecated === true ? { deprecated } : {}),
    schema: { openAPIV3Schema: wholeSchema(kind, version) as JsonValue as JsonObject },
    subresources: { status: {}, ...(scale === undefined ? {} : { scale: { ...scale } }) },
    additionalPrinterColumns: (version.printerColumns ?? defaultColumns(kind)).map((column) => ({ ...column })),
  };
}

/** The schema of a resource with what every resource has. */
export function wholeSchema(kind: OwnKind, { schema }: OwnVersion): JsonSchema {
  const { properties = {}, ...rest } = schema;
  return {
    ...rest,
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...properties,
      status: statusSchema(kind, properties.status),
    },
  };
}

const TEXT: JsonSchema = { type: 'string' };
const NUMBER: JsonSchema = { type: 'integer', format: 'int64' };

/** What the controller writes into each status; a package may declare other types for its own fields only. */
export const STANDARD_STATUS: { readonly [field: string]: JsonSchema } = {
  observedGeneration: NUMBER,
  phase: TEXT,
  message: TEXT,
  instance: TEXT,
  operatorVersion: TEXT,
  plan: TEXT,
  run: TEXT,
  uid: TEXT,
  startedAt: TEXT,
  finishedAt: TEXT,
  replicas: NUMBER,
  readyReplicas: NUMBER,
  selector: TEXT,
  conditions: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        type: TEXT,
        status: TEXT,
        reason: TEXT,
        message: TEXT,
        lastTransitionTime: TEXT,
        observedGeneration: NUMBER,
      },
      required: ['type', 'status'],
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  },
};

function statusSchema(kind: OwnKind, declared: JsonSchema | undefined): JsonSchema {
  const own = declared?.properties ?? {};
  const untyped = Object.keys(kind.status ?? {}).filter(
    (field) => !Object.hasOwn(own, field) && !Object.hasOwn(STANDARD_STATUS, field),
  );
  const free = Object.fromEntries(untyped.map((field) => [field, { 'x-kubernetes-preserve-unknown-fields': true }]));
  return { ...declared, type: 'object', properties: { ...STANDARD_STATUS, ...free, ...own } };
}

function defaultColumns(kind: OwnKind): JsonObject[] {
  const ready = '.status.conditions[?(@.type=="Ready")].status';
  return [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    ...(kind.run === undefined ? [{ name: 'Ready', type: 'string', jsonPath: ready }] : []),
    { name: 'Plan', type: 'string', jsonPath: '.status.plan' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
}
