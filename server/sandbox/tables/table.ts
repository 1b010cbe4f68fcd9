import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { badRequest } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import type { ResourceInfo } from '../registry/resource-info';
import { AGE, CREATED_DESCRIPTION, NAME, type Printer, printer } from './column';
import { customPrinter } from './custom-printer';
import { printers } from './printers';

/** What a request says of its Table: version of the form, and how much of each object goes into its row. */
export interface TableRequest {
  readonly query: URLSearchParams;
  readonly version: string;
  /** `absent` on a watch after its first event. */
  readonly headers?: 'shown' | 'absent' | undefined;
}

/** The objects of a Table, and the metadata of their list. */
export interface TableContent {
  readonly objects: readonly KubeObject[];
  readonly metadata: { readonly [key: string]: JsonValue };
}

/** Kinds that have no columns of their own. */
const plainPrinter = printer(NAME, [
  'Created At:date',
  (o) => o.metadata.creationTimestamp ?? null,
  CREATED_DESCRIPTION,
]);

const scale = printer(NAME, 'Desired:integer=spec.replicas|0', 'Available:integer=status.replicas|0', AGE);
const scalePrinter: Printer = { ...scale, columns: scale.columns.map((column) => ({ ...column, format: '' })) };

/** A list as a Table (meta/v1), as JSON text. */
export function listTable(core: SandboxCore, info: ResourceInfo, content: TableContent, request: TableRequest): string {
  return JSON.stringify(table(core, printerOf(info), content, request));
}

/** One object as a Table of one row, as JSON text. */
export function objectTable(core: SandboxCore, info: ResourceInfo, object: KubeObject, request: TableRequest): string {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
  const kind = object.kind === 'Scale' ? scalePrinter : printerOf(info);
  return JSON.stringify(table(core, kind, { objects: [object], metadata }, request));
}

function printerOf(info: ResourceInfo): Printer {
  if (info.custom !== undefined) return customPrinter(info.custom.columns);
  return printers[`${info.group}/${info.resource}`] ?? plainPrinter;
}

function table(
  core: SandboxCore,
  { columns, row }: Printer,
  { objects, metadata }: TableContent,
  { query, version, headers }: TableRequest,
): object {
  const include = query.get('includeObject') ?? 'Metadata';
  if (!['None', 'Metadata', 'Object', ''].includes(include)) {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  const apiVersion = `meta.k8s.io/${version}`;
  const nowMs = core.registry.clock.now();
  return {
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: headers === 'absent' ? null : columns,
    rows: objects.map((object) => ({ ...row(object, nowMs), object: included(object, include, apiVersion) })),
  };
}

function included(object: KubeObject, include: string, apiVersion: string): object | null {
  if (include === 'None') return null;
  if (include === 'Object') return object;
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: internalMetadata(object.metadata) };
}

/** An annotation that only the written form of a DaemonSet has; tables are made before it is written. */
const WRITTEN_ONLY = 'deprecated.daemonset.template.generation';

function internalMetadata(metadata: KubeObject['metadata']): KubeObject['metadata'] {
  if (metadata.annotations?.[WRITTEN_ONLY] === undefined) return metadata;
  const { [WRITTEN_ONLY]: _written, ...annotations } = metadata.annotations;
  const { annotations: _all, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}
