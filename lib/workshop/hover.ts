import { keyMeaningAt } from '@/lib/yaml/complete/object-suggestions';
import type { HoverText } from '@/lib/yaml/complete/suggestion';
import { type EditedPlace, ROOT_WORDS, schemaAt } from './completions';
import type { Knowledge } from './package-names';
import { actionPlaceAt } from './template-place';

/** What the word at a place means: a key of a file or of a Kubernetes object, or a variable inside `{{ }}`. Undefined for others. */
export function meaningAt({ path, text, offset }: EditedPlace, known: Knowledge): HoverText | undefined {
  const isTemplate = path.startsWith('templates/');
  const end = offset + (/^[\w$.]*/.exec(text.slice(offset))?.[0].length ?? 0);
  const action = isTemplate ? actionPlaceAt(text, end) : undefined;
  if (action !== undefined) return meaningOfVariable(action.typed, [action.from, end], known);
  return keyMeaningAt(text, offset, (place) => schemaAt(path, text, place, known));
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
