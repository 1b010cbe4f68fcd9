import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { PrinterColumn } from '../registry/resource-info';
import { since } from './cells';
import { ageColumn, type Column, nameColumn, type Printer } from './column';
import { findByPath } from './json-path';

const defaultColumns: readonly PrinterColumn[] = [
  { name: 'Age', type: 'date', description: ageColumn.description, jsonPath: '.metadata.creationTimestamp' },
];

/** The columns of a CustomResourceDefinition's version; Name always first, Age alone when it names none. */
export function customPrinter(given: readonly PrinterColumn[]): Printer {
  const columns = given.length === 0 ? defaultColumns : given;
  return {
    columns: [
      nameColumn,
      ...columns.map((each) => ({
        name: each.name,
        type: each.type as Column['type'],
        format: each.format ?? '',
        description: each.description ?? `Custom resource definition column (in JSONPath format): ${each.jsonPath}`,
        priority: each.priority ?? 0,
      })),
    ],
    row: (object, nowMs) => ({
      cells: [object.metadata.name ?? '', ...columns.map((each) => cell(object, each, nowMs))],
    }),
  };
}

/** apiextensions-apiserver pkg/registry/customresource/tableconvertor. */
function cell(object: KubeObject, column: PrinterColumn, nowMs: number): JsonValue {
  const found = findByPath(object as unknown as JsonValue, column.jsonPath);
  const [first] = found;
  if (first === undefined || first === null) return null;
  if (column.type === 'string') return found.map(asText).join(',');
  switch (column.type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null;
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date':
      return typeof first === 'string' ? since(first, nowMs).replace('<unknown>', '<invalid>') : null;
    default:
      return null;
  }
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
