import { getAt, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { since } from './human-duration';

/** One column of a Table (meta/v1 TableColumnDefinition). */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 always shown, 1 with `-o wide`. */
  readonly priority: number;
}

export interface Row {
  readonly cells: readonly JsonValue[];
  /** Says of a pod that it has ended (meta/v1 TableRowCondition). */
  readonly conditions?: readonly JsonValue[];
}

/** The columns of a kind and its rows. */
export interface Printer {
  readonly columns: readonly Column[];
  row(object: KubeObject, nowMs: number): Row;
}

export type Cell = (object: KubeObject, nowMs: number) => JsonValue;

/**
 * A column and what fills it: `Name:type=path.of.the.value|otherwise`, or `Name:type` and a function. The type is `string`
 * when left out; a `-` before the name shows the column with `-o wide` only. A description may follow.
 */
export type ColumnSpec = string | readonly [head: string, cell: Cell, description?: string];

/** What Kubernetes' API says of `metadata.name`; clients show it as the column's help. */
const NAME_DESCRIPTION =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
export const CREATED_DESCRIPTION =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

export const NAME: ColumnSpec = ['Name', (object) => object.metadata.name ?? '', NAME_DESCRIPTION];
export const AGE: ColumnSpec = [
  'Age',
  (object, nowMs) => since(object.metadata.creationTimestamp, nowMs),
  CREATED_DESCRIPTION,
];

/** A printer of the columns in their order. */
export function printer(...specs: readonly ColumnSpec[]): Printer {
  const cells = specs.map(cellOf);
  return {
    columns: specs.map(columnOf),
    row: (object, nowMs) => ({ cells: cells.map((cell) => cell(object, nowMs)) }),
  };
}

function columnOf(spec: ColumnSpec): Column {
  const [head, , given] = typeof spec === 'string' ? [spec.split('=')[0] ?? ''] : spec;
  const [shown = '', type = 'string'] = head.split(':');
  const name = shown.replace(/^-/, '');
  const description = given ?? `${name} of the object.`;
  return { name, type, format: name === 'Name' ? 'name' : '', description, priority: shown === name ? 0 : 1 };
}

function cellOf(spec: ColumnSpec): Cell {
  if (typeof spec !== 'string') return spec[1];
  const [path = '', otherwise = ''] = (spec.split('=')[1] ?? '').split('|');
  const keys = path.split('.');
  const fallback = /^(0|false)$/.test(otherwise) ? (JSON.parse(otherwise) as JsonValue) : otherwise;
  return (object) => {
    const found = getAt(object, ...keys);
    return found === undefined || found === null || found === '' ? fallback : found;
  };
}
