import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';

/** A list or a map of plain values as rows to edit. Keys are empty in lists. */
export interface StructureRow {
  readonly key: string;
  readonly value: string;
}

/** The rows of a list or map of plain values; undefined for anything deeper, which is edited as YAML. */
export function parseRows(type: 'array' | 'map', text: string): StructureRow[] | undefined {
  const read = readYaml(text);
  if (!read.ok) return undefined;
  if (read.value === null) return [];
  if (type === 'array') {
    if (!Array.isArray(read.value) || !read.value.every(isPlain)) return undefined;
    return read.value.map((value) => ({ key: '', value: plainText(value) }));
  }
  if (!isJsonObject(read.value) || !Object.values(read.value).every(isPlain)) return undefined;
  return Object.entries(read.value).map(([key, value]) => ({ key, value: plainText(value) }));
}

/** The YAML of rows. A text that YAML would read as a number or boolean stays one, as it would in a file. */
export function formatRows(type: 'array' | 'map', rows: readonly StructureRow[]): string {
  if (type === 'array') return writeYaml(rows.map(({ value }) => plainValue(value)));
  return writeYaml(
    Object.fromEntries(rows.filter(({ key }) => key !== '').map(({ key, value }) => [key, plainValue(value)])),
  );
}

function isPlain(value: JsonValue): boolean {
  return value === null || typeof value !== 'object';
}

function plainText(value: JsonValue): string {
  return value === null ? '' : String(value);
}

function plainValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}
