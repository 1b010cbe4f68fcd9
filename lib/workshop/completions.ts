import { IMPLICIT_VARIABLES } from '@/lib/kudo/verify/check-templates';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { apiVersionsOf, type Knowledge, type KnownName, kindsOf } from './package-names';
import { type FileSchema, fileSchemaOf } from './package-schema';
import { type ActionPlace, actionPlaceAt } from './template-place';
import { topScalar } from './top-scalar';
import { type YamlPlace, yamlPlaceAt } from './yaml-place';

/** One thing that may be written at the cursor. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'variable' | 'function' | 'keyword';
  /** Beside the label: a type. */
  readonly detail: string;
  readonly description: string;
  /** What is written; the label when absent. */
  readonly apply?: string;
}

/** What may be written from `from` to the cursor. */
export interface Suggestions {
  readonly from: number;
  readonly items: readonly Suggestion[];
}

const KEYWORDS = ['if', 'else', 'end', 'range', 'with', 'define', 'template', 'block'];
const ROOT = [...IMPLICIT_VARIABLES, 'Params', 'Pipes', 'Objects', 'Refs'];

/** A text of the package and a place in it. */
export interface EditedPlace {
  readonly path: string;
  readonly text: string;
  readonly offset: number;
}

/**
 * What may be written at a place of a file: keys and values of operator.yaml and params.yaml, fields of Kubernetes objects in templates,
 * and variables and functions inside `{{ }}`. Undefined where nothing is known.
 */
export function suggestionsAt({ path, text, offset }: EditedPlace, known: Knowledge): Suggestions | undefined {
  const isTemplate = path.startsWith('templates/');
  const action = isTemplate ? actionPlaceAt(text, offset) : undefined;
  if (action !== undefined) return { from: action.from, items: inAction(action, known) };
  const place = yamlPlaceAt(text, offset);
  if (place === undefined) return undefined;
  const schema = schemaAt(path, text, place, known);
  if (schema === undefined) return undefined;
  const items =
    place.path.length === 0 && isTemplate && (place.key === 'kind' || place.key === 'apiVersion')
      ? rootValues(place, known)
      : inYaml(place, schema, known);
  return items.length === 0 ? undefined : { from: place.from, items };
}

/** The schema of the map or list at the place; undefined when it is not known. */
export function schemaAt(path: string, text: string, place: YamlPlace, known: Knowledge): FileSchema | undefined {
  const root = fileSchemaOf(path) ?? (path.startsWith('templates/') ? objectSchema(text, place, known) : undefined);
  return place.path.reduce<FileSchema | undefined>((schema, part) => memberAt(schema, part), root);
}

/** A field of a map by its name, or the items of a list for `[]`. */
export function memberAt(schema: FileSchema | undefined, part: string): FileSchema | undefined {
  if (schema === undefined) return undefined;
  if (part === '[]') return schema.items;
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, part)) return properties[part];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

const ANY_OBJECT: FileSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string', description: 'The group and version of the kind.' },
    kind: { type: 'string', description: 'The kind of the object.' },
    metadata: { type: 'object', description: 'Name, labels and annotations.' },
  },
};

/** The schema of the object that the place is in. At its root the place itself says which kind it is. */
function objectSchema(text: string, place: YamlPlace, { schemaOf }: Knowledge): FileSchema {
  const apiVersion =
    place.path.length === 0 ? place.values.get('apiVersion') : topValue(text, place.from, 'apiVersion');
  const kind = place.path.length === 0 ? place.values.get('kind') : topValue(text, place.from, 'kind');
  if (apiVersion === undefined || kind === undefined) return ANY_OBJECT;
  return asFileSchema(schemaOf(apiVersion, kind)) ?? ANY_OBJECT;
}

/** A schema of the API has the same shape; what it says beyond that is not read here. */
function asFileSchema(schema: JsonSchema | undefined): FileSchema | undefined {
  return schema as FileSchema | undefined;
}

/** The value of a key at the root of the document around an offset. */
function topValue(text: string, offset: number, key: string): string | undefined {
  const start = text.lastIndexOf('\n---', offset) + 1;
  const end = text.indexOf('\n---', offset);
  return topScalar(text.slice(start, end === -1 ? undefined : end), key);
}

function rootValues(place: YamlPlace, { kinds }: Knowledge): Suggestion[] {
  const values =
    place.key === 'kind'
      ? kindsOf(kinds, place.values.get('apiVersion'))
      : apiVersionsOf(kinds, place.values.get('kind'));
  return values.map((label) => value(label));
}

function inYaml(place: YamlPlace, schema: FileSchema, known: Knowledge): Suggestion[] {
  if (place.role === 'value') return valuesOf(memberAt(schema, place.key), known);
  const keys = keysOf(schema, place);
  return place.role === 'item' ? [...valuesOf(schema, known), ...keys] : keys;
}

function keysOf({ properties = {}, required = [] }: FileSchema, { siblings }: YamlPlace): Suggestion[] {
  return Object.entries(properties)
    .filter(([name]) => !siblings.has(name))
    .map(([name, member]) => ({
      label: name,
      kind: 'key' as const,
      detail: `${typeOf(member)}${required.includes(name) ? ', required' : ''}`,
      description: member.description ?? '',
      apply: `${name}:${isScalar(member) ? ' ' : ''}`,
    }));
}

function valuesOf(schema: FileSchema | undefined, known: Knowledge): Suggestion[] {
  if (schema === undefined) return [];
  // `key: [a, b]`: what is written is an item.
  const wanted = schema.type === 'array' ? schema.items : schema;
  if (wanted?.names !== undefined) return known.names[wanted.names].map(named);
  if (wanted?.enum !== undefined) return wanted.enum.map((each) => value(String(each)));
  return wanted?.type === 'boolean' ? [value('true'), value('false')] : [];
}

function inAction({ typed, isFirst }: ActionPlace, known: Knowledge): Suggestion[] {
  const dollar = typed.startsWith('$') ? '$' : '';
  const variable = ({ name, detail, description }: KnownName, prefix: string): Suggestion => ({
    ...{ label: `${dollar}${prefix}${name}`, kind: 'variable', detail, description },
  });
  const path = typed.slice(dollar.length);
  if (path.startsWith('.Params.')) return known.names.parameters.map((each) => variable(each, '.Params.'));
  if (path.startsWith('.Pipes.')) return known.pipes.map((each) => variable(each, '.Pipes.'));
  const roots = ROOT.map((name) => variable({ name, detail: '', description: ROOT_WORDS[name] ?? '' }, '.'));
  if (typed.startsWith('.') || typed.startsWith('$')) {
    return [...roots, ...known.names.parameters.map((each) => variable(each, '.Params.'))];
  }
  const keywords = isFirst ? KEYWORDS : [];
  return [
    ...keywords.map((label): Suggestion => ({ label, kind: 'keyword', detail: '', description: '' })),
    ...known.functions.map((label): Suggestion => ({ label, kind: 'function', detail: '', description: '' })),
    ...roots,
  ];
}

/** What the variables of templates are. */
export const ROOT_WORDS: { readonly [name: string]: string } = {
  Name: 'The name of the Instance.',
  Namespace: 'The namespace of the Instance.',
  OperatorName: 'The name of the operator.',
  OperatorVersion: 'The operatorVersion of the package.',
  AppVersion: 'The appVersion of the package.',
  PlanName: 'The plan that runs.',
  PhaseName: 'The phase that runs.',
  StepName: 'The step that runs.',
  Params: 'The values of the parameters.',
  Pipes: 'The names of the objects that Pipe tasks make.',
  Objects: 'Objects of the cluster that the task reads.',
  Refs: 'Other Instances that parameters name.',
};

function named({ name, detail, description }: KnownName): Suggestion {
  return { label: name, kind: 'value', detail, description };
}

function value(label: string): Suggestion {
  return { label, kind: 'value', detail: '', description: '' };
}

function typeOf({ type, items }: FileSchema): string {
  return type === 'array' ? `list of ${items?.type ?? 'values'}` : (type ?? 'any');
}

function isScalar({ type, properties, items }: FileSchema): boolean {
  return type !== 'object' && type !== 'array' && properties === undefined && items === undefined;
}
