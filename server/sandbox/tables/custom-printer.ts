import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { PrinterColumn } from '../registry/resource-info';
import { CREATED_DESCRIPTION, NAME, type Printer, printer } from './column';
import { since } from './human-duration';
import { findByPath } from './json-path';

const defaultColumns: readonly PrinterColumn[] = [
  { name: 'Age', type: 'date', description: CREATED_DESCRIPTION, jsonPath: '.metadata.creationTimestamp' },
];
const named = printer(NAME);

/** The columns of a CustomResourceDefinition's version; Name always first, Age alone when it names none. */
export function customPrinter(given: readonly PrinterColumn[]): Printer {
  const columns = given.length === 0 ? defaultColumns : given;
  return {
    columns: [
      ...named.columns,
      ...columns.map(({ name, type, format = '', description, priority = 0, jsonPath }) => ({
        ...{ name, type, format, priority },
        description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
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
  switch (column.type) {
    case 'string':
      return found.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(',');
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null;
    case 'date':
      return typeof first === 'string' ? since(first, nowMs).replace('<unknown>', '<invalid>') : null;
    default:
      return typeof first === column.type ? first : null;
  }
}
