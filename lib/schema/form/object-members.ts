import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '../json-schema';

/** One field of an object. `schema` is empty for a field that the schema does not know. */
export interface ObjectMember {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly isSet: boolean;
  readonly isKnown: boolean;
}

/** The fields of an object: those that a form shows, and those that can be added. */
export interface ObjectMembers {
  readonly shown: readonly ObjectMember[];
  readonly addable: readonly ObjectMember[];
}

const ANYTHING: JsonSchema = {};

/**
 * Required fields come first and are always shown, then the ones that are set, in the order of the text; all others can be added. A field that
 * the schema does not know is shown, so that nothing in the object is hidden.
 */
export function objectMembers(
  schema: JsonSchema,
  value: JsonValue | undefined,
  hidden: ReadonlySet<string> = NONE,
): ObjectMembers {
  const { properties = {}, required = [], additionalProperties } = schema;
  const set = isJsonObject(value) ? Object.keys(value) : [];
  const extra = typeof additionalProperties === 'object' ? additionalProperties : ANYTHING;
  const member = (name: string): ObjectMember => {
    const isKnown = Object.hasOwn(properties, name);
    const own = isKnown ? (properties[name] ?? ANYTHING) : extra;
    return { name, schema: own, isKnown, isRequired: required.includes(name), isSet: set.includes(name) };
  };
  const names = [...required.filter((name) => Object.hasOwn(properties, name)), ...set];
  const shown = [...new Set(names)].filter((name) => !hidden.has(name));
  const addable = Object.keys(properties).filter((name) => !shown.includes(name) && !hidden.has(name));
  return { shown: shown.map(member), addable: addable.sort().map(member) };
}

const NONE: ReadonlySet<string> = new Set();

/** Fields that contain every word of a search in their name or description; fields whose name begins with it come first. */
export function searchMembers(members: readonly ObjectMember[], search: string): readonly ObjectMember[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0] ?? '';
  const rank = ({ name }: ObjectMember) => {
    const lower = name.toLowerCase();
    return lower.startsWith(first) ? 0 : lower.includes(first) ? 1 : 2;
  };
  return members
    .filter(({ name, schema }) => {
      const text = `${name} ${schema.description ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b));
}
