import { type EditedPlace, memberAt, ROOT_WORDS, schemaAt } from './completions';
import type { Knowledge } from './package-names';
import { actionPlaceAt } from './template-place';
import { yamlPlaceAt } from './yaml-place';

/** What a word of a file means. */
export interface HoverText {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  /** In a word: a type. */
  readonly detail: string;
  readonly description: string;
}

/** What the word at a place means: a key of a file or of a Kubernetes object, or a variable inside `{{ }}`. Undefined for others. */
export function meaningAt({ path, text, offset }: EditedPlace, known: Knowledge): HoverText | undefined {
  const isTemplate = path.startsWith('templates/');
  const end = offset + (/^[\w$.]*/.exec(text.slice(offset))?.[0].length ?? 0);
  const action = isTemplate ? actionPlaceAt(text, end) : undefined;
  if (action !== undefined) return meaningOfVariable(action.typed, [action.from, end], known);
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  const key = /^(\s*(?:-\s+)*)([\w./-]+):/.exec(line.split('\n')[0] ?? '');
  const from = text.lastIndexOf('\n', offset - 1) + 1 + (key?.[1]?.length ?? 0);
  const name = key?.[2] ?? '';
  if (name === '' || offset < from || offset > from + name.length) return undefined;
  const place = yamlPlaceAt(text, from + name.length);
  const member = place === undefined ? undefined : memberAt(schemaAt(path, text, place, known), name);
  if (place === undefined || member === undefined) return undefined;
  const { type = '', description = '', enum: values = [] } = member;
  const words = description === '' && values.length > 0 ? `One of: ${values.join(', ')}.` : description;
  if (type === '' && words === '') return undefined;
  return { from, to: from + name.length, title: fieldPath([...place.path, name]), detail: type, description: words };
}

/** `spec.containers[].image`. */
function fieldPath(parts: readonly string[]): string {
  return parts.reduce((path, part) => (part === '[]' || path === '' ? `${path}${part}` : `${path}.${part}`), '');
}

function meaningOfVariable(word: string, [from, to]: [number, number], known: Knowledge): HoverText | undefined {
  const variable = word.replace(/^\$/, '');
  const parameter = /^\.Params\.(\w+)/.exec(variable)?.[1];
  if (parameter !== undefined) {
    const found = known.names.parameters.find(({ name }) => name === parameter);
    if (found === undefined) return undefined;
    return { from, to, title: `Parameter ${parameter}`, detail: found.detail, description: found.description };
  }
  const name = /^\.(\w+)/.exec(variable)?.[1] ?? '';
  const description = Object.hasOwn(ROOT_WORDS, name) ? ROOT_WORDS[name] : undefined;
  return description === undefined ? undefined : { from, to, title: `.${name}`, detail: '', description };
}
