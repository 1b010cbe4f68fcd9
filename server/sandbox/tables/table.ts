import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { badRequest } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { convertBuiltin } from '../registry/convert-builtin';
import type { ResourceInfo } from '../registry/resource-info';
import { age, count, nameOfObject } from './cells';
import { ageColumn, CREATED_DESCRIPTION, column, nameColumn, type Printer, printer } from './column';
import { corePrinters } from './core-printers';
import { customPrinter } from './custom-printer';
import { otherPrinters } from './other-printers';
import { workloadPrinters } from './workload-printers';

/** What a request says of its Table: version of the form, and how much of each object goes into its row. */
export interface TableRequest {
  readonly query: URLSearchParams;
  readonly version: string;
  /** `absent` on a watch after its first event. */
  readonly headers?: 'shown' | 'absent' | undefined;
}

const printers: { readonly [resource: string]: Printer } = {
  ...corePrinters,
  ...workloadPrinters,
  ...otherPrinters,
};

/** Kinds that have no columns of their own. */
const plainPrinter = printer(
  [nameColumn, { ...column('Created At', 'date'), description: CREATED_DESCRIPTION }],
  (object) => [nameOfObject(object), object.metadata.creationTimestamp ?? null],
);

const scalePrinter = printer(
  [{ ...nameColumn, format: '' }, column('Desired', 'integer'), column('Available', 'integer'), ageColumn],
  (object, nowMs) => [
    nameOfObject(object),
    count(object, 'spec', 'replicas'),
    count(object, 'status', 'replicas'),
    age(object, nowMs),
  ],
);

/** Events have the same columns in both of their groups. */
const newEventPrinter: Printer = {
  columns: corePrinters['/events']?.columns ?? [],
  row: (object, nowMs) => corePrinters['/events']?.row(convertBuiltin(object, 'v1'), nowMs) ?? { cells: [] },
};

/** A list as a Table (meta/v1), as JSON text. */
export function listTable(
  core: SandboxCore,
  info: ResourceInfo,
  objects: readonly KubeObject[],
  page: { readonly resourceVersion: string; readonly continueToken: string; readonly remaining: number | undefined },
  request: TableRequest,
): string {
  const metadata: { [key: string]: JsonValue } = { resourceVersion: page.resourceVersion };
  if (page.continueToken !== '') metadata.continue = page.continueToken;
  if (page.remaining !== undefined) metadata.remainingItemCount = page.remaining;
  return JSON.stringify(table(core, printerOf(info), objects, metadata, request));
}

/** One object as a Table of one row, as JSON text. */
export function objectTable(core: SandboxCore, info: ResourceInfo, object: KubeObject, request: TableRequest): string {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
  const kind = object.kind === 'Scale' ? scalePrinter : printerOf(info);
  return JSON.stringify(table(core, kind, [object], metadata, request));
}

function printerOf(info: ResourceInfo): Printer {
  if (info.custom !== undefined) return customPrinter(info.custom.columns);
  if (info.group === 'events.k8s.io') return newEventPrinter;
  return printers[`${info.group}/${info.resource}`] ?? plainPrinter;
}

function table(
  core: SandboxCore,
  { columns, row }: Printer,
  objects: readonly KubeObject[],
  metadata: { [key: string]: JsonValue },
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
