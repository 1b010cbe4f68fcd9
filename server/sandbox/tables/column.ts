import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** One column of a Table (meta/v1 TableColumnDefinition). */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
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

/** A printer from columns and the function that fills them. */
export function printer(
  columns: readonly Column[],
  cells: (object: KubeObject, nowMs: number) => readonly JsonValue[],
): Printer {
  return { columns, row: (object, nowMs) => ({ cells: cells(object, nowMs) }) };
}

/** A column that is always shown; `wide` gives one for `-o wide`. */
export function column(name: string, type: Column['type'] = 'string'): Column {
  return { name, type, format: '', description: `${name} of the object.`, priority: 0 };
}

export function wide(name: string, type: Column['type'] = 'string'): Column {
  return { ...column(name, type), priority: 1 };
}

/** What Kubernetes' API says of `metadata.name`; clients show it as the column's help. */
export const NAME_DESCRIPTION =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
export const CREATED_DESCRIPTION =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: NAME_DESCRIPTION,
  priority: 0,
};
export const ageColumn: Column = { ...column('Age'), description: CREATED_DESCRIPTION };
