import { IMPLICIT_VARIABLES } from '@/lib/kudo/verify/check-templates';
import { kindValues, objectSchemaAt, schemaOfPlace } from '@/lib/yaml/complete/object-suggestions';
import { schemaSuggestions } from '@/lib/yaml/complete/schema-suggestions';
import type { Suggestion, Suggestions, TextSchema } from '@/lib/yaml/complete/suggestion';
import { type YamlPlace, yamlPlaceAt } from '@/lib/yaml/complete/yaml-place';
import type { Knowledge, KnownName } from './package-names';
import { fileSchemaOf } from './package-schema';
import { type ActionPlace, actionPlaceAt } from './template-place';

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
    (isTemplate ? kindValues(place, known) : undefined) ??
    schemaSuggestions(place, schema, (wanted) => packageNamesOf(wanted, known));
  return items.length === 0 ? undefined : { from: place.from, items };
}

/** The schema of the map or list at the place; undefined when it is not known. */
export function schemaAt(path: string, text: string, place: YamlPlace, known: Knowledge): TextSchema | undefined {
  const own: TextSchema | undefined = fileSchemaOf(path);
  return schemaOfPlace(own ?? (path.startsWith('templates/') ? objectSchemaAt(text, place, known) : undefined), place);
}

/** Names of the package, where the schema of a file says which. */
function packageNamesOf({ names }: TextSchema, known: Knowledge): Suggestion[] | undefined {
  const byName: { readonly [source: string]: readonly KnownName[] } = known.names;
  return names === undefined ? undefined : byName[names]?.map(named);
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
