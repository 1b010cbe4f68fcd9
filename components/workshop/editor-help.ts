import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { type Suggestion, suggestionsAt } from '@/lib/workshop/completions';
import { meaningAt } from '@/lib/workshop/hover';
import type { Knowledge } from '@/lib/workshop/package-names';

/** What the helpers of an editor need at the moment in which they are asked. */
export interface EditorFacts {
  readonly path: string;
  readonly knowledge: Knowledge;
}

const WORD = /^[\w$./-]*$/;

/** Completion and hover, from what is known when they are asked for. */
export function editorHelp(factsNow: () => EditorFacts): Extension[] {
  const complete = (context: CompletionContext): CompletionResult | null => {
    const { path, knowledge } = factsNow();
    const place = { path, text: context.state.doc.toString(), offset: context.pos };
    const found = suggestionsAt(place, knowledge);
    // Nothing opens by itself before a character is typed.
    if (found === undefined || (!context.explicit && found.from === context.pos)) return null;
    return { from: found.from, options: found.items.map(asOption), validFor: WORD };
  };
  const hover = hoverTooltip((view, offset) => {
    const { path, knowledge } = factsNow();
    const meaning = meaningAt({ path, text: view.state.doc.toString(), offset }, knowledge);
    if (meaning === undefined) return null;
    const { from, to, title, detail, description } = meaning;
    return { pos: from, end: to, above: true, create: () => ({ dom: meaningElement(title, detail, description) }) };
  });
  return [autocompletion({ override: [complete], icons: false, maxRenderedOptions: 200 }), hover];
}

function asOption({ label, detail, description, apply, kind }: Suggestion) {
  return {
    label,
    ...(detail === '' ? {} : { detail }),
    ...(description === '' ? {} : { info: description }),
    ...(apply === undefined ? {} : { apply }),
    // Fields of the kind stay in the order of the schema; what the package itself names comes before functions.
    boost: kind === 'function' ? -1 : 0,
  };
}

function meaningElement(title: string, detail: string, description: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-meaning';
  const name = document.createElement('code');
  name.textContent = title;
  const type = document.createElement('span');
  type.textContent = detail === '' ? '' : ` ${detail}`;
  const text = document.createElement('p');
  text.textContent = description;
  box.append(name, type, text);
  return box;
}
