import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { HoverText, Suggestion, Suggestions } from '@/lib/yaml/complete/suggestion';

/** What an editor is asked for at a place of its text. */
export interface EditorHelper {
  suggest(text: string, offset: number): Suggestions | undefined;
  explain(text: string, offset: number): HoverText | undefined;
}

const WORD = /^[\w$./-]*$/;

/** Completion and hover, from what the helper knows when it is asked. */
export function editorHelp({ suggest, explain }: EditorHelper): Extension[] {
  const complete = (context: CompletionContext): CompletionResult | null => {
    const found = suggest(context.state.doc.toString(), context.pos);
    // Nothing opens by itself before a character is typed.
    if (found === undefined || (!context.explicit && found.from === context.pos)) return null;
    return { from: found.from, options: found.items.map(asOption), validFor: WORD };
  };
  const hover = hoverTooltip((view, offset) => {
    const meaning = explain(view.state.doc.toString(), offset);
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
