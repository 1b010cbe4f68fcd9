import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--color-accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--color-ink)' },
  { tag: [tags.content, tags.literal], color: 'var(--color-ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--color-hold)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--color-ink-3)', fontStyle: 'italic' },
  { tag: [tags.meta, tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--color-ink-2)' },
  { tag: [tags.typeName, tags.labelName], color: 'var(--color-wait)' },
]);

/** The page's own tokens, so that both themes follow it without a second editor theme. */
export const editorTheme = [
  EditorView.theme({
    '&': {
      backgroundColor: 'var(--color-surface)',
      color: 'var(--color-ink)',
      minHeight: '256px',
      maxHeight: '70dvh',
    },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--font-mono)', fontSize: '12px', lineHeight: '1.6' },
    '.cm-content': { padding: '10px 0', caretColor: 'var(--color-ink)' },
    '.cm-gutters': {
      backgroundColor: 'var(--color-surface)',
      color: 'var(--color-ink-3)',
      border: 'none',
      paddingInlineStart: '6px',
    },
    '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--color-accent-soft) 45%, transparent)' },
    '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--color-accent-soft)',
    },
    '.cm-selectionMatch': { backgroundColor: 'var(--color-wait-soft)' },
    '.cm-foldPlaceholder': { backgroundColor: 'var(--color-sunken)', border: 'none', color: 'var(--color-ink-2)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--color-raised)',
      border: '1px solid var(--color-line-strong)',
      borderRadius: 'var(--radius-md)',
      color: 'var(--color-ink)',
      fontFamily: 'var(--font-sans)',
      fontSize: '12px',
    },
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
    '.cm-diagnostic': { padding: '6px 10px' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--color-fail)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--color-wait)' },
    '.cm-panels': {
      backgroundColor: 'var(--color-sunken)',
      color: 'var(--color-ink)',
      borderColor: 'var(--color-line)',
    },
    '.cm-textfield': { backgroundColor: 'var(--color-surface)', borderColor: 'var(--color-line-strong)' },
    '.cm-button': {
      backgroundImage: 'none',
      backgroundColor: 'var(--color-surface)',
      borderColor: 'var(--color-line-strong)',
    },
  }),
  syntaxHighlighting(highlight),
];
