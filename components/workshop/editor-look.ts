import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Beside `components/ui/yaml-editor/editor-theme`: lists of completion, tooltips, actions of templates, the full height. */
export const workshopTheme = EditorView.theme({
  '&': { height: '100%', maxHeight: 'none', minHeight: '0' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '1.6' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-accent)',
    color: 'var(--color-on-accent)',
  },
  '.cm-completionDetail': { color: 'var(--color-ink-2)', fontStyle: 'normal', marginInlineStart: '1em' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo, .cm-meaning': { padding: '6px 10px', maxWidth: '340px' },
  '.cm-meaning code': { fontWeight: '600' },
  '.cm-meaning span': { color: 'var(--color-ink-2)' },
  '.cm-action': { backgroundColor: 'var(--color-hold-soft)', borderRadius: '2px' },
  '.cm-action *, .cm-action': { color: 'var(--color-hold)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--color-accent)',
    color: 'var(--color-on-accent)',
    borderRadius: 'var(--radius-sm)',
    padding: '2px 8px',
    marginInlineStart: '10px',
  },
});

const actions = new MatchDecorator({
  regexp: /\{\{(?:[^}]|\}(?!\}))*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-action' }),
});

/** Marks `{{ … }}`, which YAML does not know. */
export const actionMarks = ViewPlugin.define(
  (view) => ({
    marks: actions.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = actions.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);
