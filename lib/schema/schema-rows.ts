import type { JsonSchema } from './json-schema';
import { childFields, type FieldSearch, rootFields, type SchemaField } from './schema-fields';

/** A visible line of a schema with its place, as the tree pattern of WAI-ARIA needs it. */
export interface SchemaRow {
  readonly node: SchemaField & { readonly children: readonly unknown[] };
  readonly position: number;
  readonly siblings: number;
  readonly isOpen: boolean;
  /** The id of the line above it in the tree. */
  readonly parent: string | undefined;
  /** True for a field that the search was for. */
  readonly isFound: boolean;
}

/** The lines, at most {@link MOST_SCHEMA_ROWS}, and whether these are all. */
export interface SchemaRows {
  readonly rows: readonly SchemaRow[];
  readonly isWhole: boolean;
}

/** A page stays quick with so many lines; nobody reads more. */
export const MOST_SCHEMA_ROWS = 600;

/**
 * The visible lines of a schema, from top to bottom.
 *
 * @param opened what a person has opened and closed, by id; at first `spec` is open, and in a search what leads to a field that fits
 */
export function schemaRows(
  root: JsonSchema,
  opened: ReadonlyMap<string, boolean>,
  search: FieldSearch | undefined,
): SchemaRows {
  const rows: SchemaRow[] = [];
  let isWhole = true;
  const add = (fields: readonly SchemaField[], parent: string | undefined) => {
    const kept = search === undefined ? [] : fields.filter(({ id }) => search.shown.has(id));
    // Below a field that fits, everything can be opened.
    const shown = search === undefined || (kept.length === 0 && parent !== undefined) ? fields : kept;
    shown.forEach((field, at) => {
      if (rows.length >= MOST_SCHEMA_ROWS) {
        isWhole = false;
        return;
      }
      const isFound = search?.found.has(field.id) === true;
      const children = field.hasChildren ? childFields(field) : [];
      const leadsOn = search !== undefined && children.some(({ id }) => search.shown.has(id));
      const isOpen =
        field.hasChildren && (opened.get(field.id) ?? (search === undefined ? field.id === 'spec' : leadsOn));
      rows.push({ node: { ...field, children }, position: at + 1, siblings: shown.length, isOpen, parent, isFound });
      if (isOpen) add(children, field.id);
    });
  };
  add(rootFields(root), undefined);
  return { rows, isWhole };
}
