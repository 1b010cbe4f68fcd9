import type { ParameterType } from '@/lib/kudo/types';

/** A field of the schema of an RGD that became a parameter. */
export interface RgdField {
  /** Names below `schema.spec`. */
  readonly path: readonly string[];
  readonly parameter: string;
  readonly type: ParameterType;
}

/** What expressions of an RGD may name. */
export interface RgdNames {
  readonly fields: readonly RgdField[];
  /** Ids of its resources, external ones too. */
  readonly ids: ReadonlySet<string>;
}

/** The field that a path names, or that a path goes into; the rest of the path is what is below it. */
export function fieldAt(
  { fields }: RgdNames,
  path: readonly string[],
): { readonly field: RgdField; readonly rest: readonly string[] } | undefined {
  const field = fields.find((each) => each.path.every((name, at) => path[at] === name));
  return field === undefined ? undefined : { field, rest: path.slice(field.path.length) };
}
