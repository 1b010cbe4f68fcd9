import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '../json-schema';

/** One way to fill an object whose schema has `oneOf` or `anyOf`. */
export interface Alternative {
  readonly label: string;
  /** Fields that this alternative needs. */
  readonly fields: readonly string[];
}

/** What `oneOf` or `anyOf` of an object lets a person choose. */
export interface AlternativeChoice {
  readonly isExclusive: boolean;
  readonly alternatives: readonly Alternative[];
  /** The index of the alternative whose fields are all set; undefined for none. */
  readonly chosen: number | undefined;
}

/** The alternatives of an object that differ in their required fields; undefined for schemas that offer none. */
export function alternativesOf(schema: JsonSchema, value: JsonValue | undefined): AlternativeChoice | undefined {
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  const alternatives = branches.flatMap((branch): Alternative[] => {
    const fields = (branch.required ?? []).filter((name) => schema.properties?.[name] !== undefined);
    return fields.length === 0 ? [] : [{ label: branch.title ?? fields.join(' and '), fields }];
  });
  if (alternatives.length < 2 || alternatives.length !== branches.length) return undefined;
  const set = isJsonObject(value) ? value : {};
  const chosen = alternatives.findIndex(({ fields }) => fields.every((name) => Object.hasOwn(set, name)));
  return { isExclusive: schema.oneOf !== undefined, alternatives, chosen: chosen === -1 ? undefined : chosen };
}

/** Fields that go when another alternative is chosen: those of the others that it does not need. */
export function fieldsToDrop({ isExclusive, alternatives }: AlternativeChoice, chosen: number): readonly string[] {
  if (!isExclusive) return [];
  const kept = alternatives[chosen]?.fields ?? [];
  const others = alternatives.filter((_, index) => index !== chosen).flatMap(({ fields }) => fields);
  return [...new Set(others)].filter((name) => !kept.includes(name));
}
