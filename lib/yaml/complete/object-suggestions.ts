import type { KindSummary } from '@/lib/kube/kinds';
import { parseApiVersion } from '@/lib/kube/object';
import type { SchemaOf } from '../lint-yaml';
import { memberAt, schemaSuggestions } from './schema-suggestions';
import { type HoverText, type Suggestion, type Suggestions, suggestValue, type TextSchema } from './suggestion';
import { topScalar } from './top-scalar';
import { type YamlPlace, yamlPlaceAt } from './yaml-place';

/** What completion knows of a cluster. */
export interface KnownKinds {
  /** Kinds that the cluster serves; empty while they are read. */
  readonly kinds: readonly Pick<KindSummary, 'group' | 'version' | 'kind'>[];
  readonly schemaOf: SchemaOf;
}

const ANY_OBJECT: TextSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string', description: 'The group and version of the kind.' },
    kind: { type: 'string', description: 'The kind of the object.' },
    metadata: { type: 'object', description: 'Name, labels and annotations.' },
  },
};

/** What may be written at a place of a text of Kubernetes objects. Undefined where nothing is known. */
export function objectSuggestionsAt(text: string, offset: number, known: KnownKinds): Suggestions | undefined {
  const place = yamlPlaceAt(text, offset);
  const schema = place === undefined ? undefined : schemaOfPlace(objectSchemaAt(text, place, known), place);
  if (place === undefined || schema === undefined) return undefined;
  const items = kindValues(place, known) ?? schemaSuggestions(place, schema);
  return items.length === 0 ? undefined : { from: place.from, items };
}

/** What the key at a place of a text of Kubernetes objects means. */
export function objectMeaningAt(text: string, offset: number, known: KnownKinds): HoverText | undefined {
  return keyMeaningAt(text, offset, (place) => schemaOfPlace(objectSchemaAt(text, place, known), place));
}

/** What the key of a line means, by the schema of its map; undefined for values and unknown keys. */
export function keyMeaningAt(
  text: string,
  offset: number,
  schemaAt: (place: YamlPlace) => TextSchema | undefined,
): HoverText | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const key = /^(\s*(?:-\s+)*)([\w./-]+):/.exec(text.slice(start).split('\n')[0] ?? '');
  const from = start + (key?.[1]?.length ?? 0);
  const name = key?.[2] ?? '';
  if (name === '' || offset < from || offset > from + name.length) return undefined;
  const place = yamlPlaceAt(text, from + name.length);
  const member = place === undefined ? undefined : memberAt(schemaAt(place), name);
  if (place === undefined || member === undefined) return undefined;
  const { type = '', description = '', enum: values = [] } = member;
  const words = description === '' && values.length > 0 ? `One of: ${values.join(', ')}.` : description;
  if (type === '' && words === '') return undefined;
  return { from, to: from + name.length, title: placeText([...place.path, name]), detail: type, description: words };
}

/** The schema of the map or list at a place, from the schema of its document. */
export function schemaOfPlace<S extends TextSchema>(root: S | undefined, place: YamlPlace): S | undefined {
  return place.path.reduce<S | undefined>((schema, part) => memberAt(schema, part), root);
}

/** The schema of the object that the place is in. At its root the place itself says which kind it is. */
export function objectSchemaAt(text: string, place: YamlPlace, { schemaOf }: KnownKinds): TextSchema {
  const isRoot = place.path.length === 0;
  const apiVersion = isRoot ? place.values.get('apiVersion') : topValue(text, place.from, 'apiVersion');
  const kind = isRoot ? place.values.get('kind') : topValue(text, place.from, 'kind');
  if (apiVersion === undefined || kind === undefined) return ANY_OBJECT;
  return schemaOf(apiVersion, kind) ?? ANY_OBJECT;
}

/** The kinds or apiVersions that fit at the root of an object; undefined at other places. */
export function kindValues(place: YamlPlace, { kinds }: KnownKinds): Suggestion[] | undefined {
  if (place.path.length > 0 || place.role !== 'value') return undefined;
  if (place.key === 'kind') return kindsOf(kinds, place.values.get('apiVersion')).map(suggestValue);
  if (place.key !== 'apiVersion') return undefined;
  return apiVersionsOf(kinds, place.values.get('kind')).map(suggestValue);
}

/** `apps/v1` of every kind of that name; all apiVersions without one. Each once, in the order of the kinds. */
function apiVersionsOf(kinds: KnownKinds['kinds'], kind: string | undefined): string[] {
  const fitting = kinds.filter((each) => kind === undefined || each.kind === kind);
  return [...new Set(fitting.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)))];
}

/** The names of the kinds of an apiVersion; of all without one. */
function kindsOf(kinds: KnownKinds['kinds'], apiVersion: string | undefined): string[] {
  if (apiVersion === undefined) return [...new Set(kinds.map(({ kind }) => kind))];
  const { group } = parseApiVersion(apiVersion);
  return [...new Set(kinds.filter((each) => each.group === group).map(({ kind }) => kind))];
}

/** The value of a key at the root of the document around an offset. */
function topValue(text: string, offset: number, key: string): string | undefined {
  const start = text.lastIndexOf('\n---', offset) + 1;
  const end = text.indexOf('\n---', offset);
  return topScalar(text.slice(start, end === -1 ? undefined : end), key);
}

/** `spec.containers[].image`. */
function placeText(parts: readonly string[]): string {
  return parts.reduce((path, part) => (part === '[]' || path === '' ? `${path}${part}` : `${path}.${part}`), '');
}
