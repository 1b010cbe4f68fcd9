import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Beside `components/ui/yaml-editor/editor-theme`: actions of templates, the full height. */
export const workshopTheme = EditorView.theme({
  '&': { height: '100%', maxHeight: 'none', minHeight: '0' },
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
