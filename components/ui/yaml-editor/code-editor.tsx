'use client';

import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, StateEffect } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { objectMeaningAt, objectSuggestionsAt } from '@/lib/yaml/complete/object-suggestions';
import { lintYaml, type SchemaOf } from '@/lib/yaml/lint-yaml';
import { type EditorHelper, editorHelp } from './editor-help';
import { editorTheme } from './editor-theme';
import { pageNonce } from './page-nonce';
import type { YamlEditorProps } from './yaml-editor-props';

const LINT_DELAY_MS = 300;

/** A schema has arrived: the same text is checked again. */
const schemaArrived = StateEffect.define();

const hasNewSchema = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((effect) => effect.is(schemaArrived)));

/** CodeMirror with YAML, our colours and the schema's lint. Loaded only where it is shown. */
export default function CodeEditor({
  value,
  onChange,
  readOnly = false,
  label,
  schemaOf,
  kinds,
  old,
  onFindings,
  onSave,
}: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, schemaOf, kinds, old, onFindings, onSave });
  latest.current = { onChange, schemaOf, kinds, old, onFindings, onSave };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is handed over once; later ones come by the next effect
  useEffect(() => {
    if (host.current === null) return undefined;
    const lint = (text: string): Diagnostic[] => {
      const { old: before } = latest.current;
      const findings = lintYaml(text, (...kind: Parameters<SchemaOf>) => latest.current.schemaOf?.(...kind), before);
      latest.current.onFindings?.(findings);
      return findings.map((finding) => ({ ...finding }));
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(pageNonce()),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorState.readOnly.of(readOnly),
          lineNumbers(),
          foldGutter(),
          drawSelection(),
          history(),
          indentOnInput(),
          indentUnit.of('  '),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          yaml(),
          editorTheme,
          ...(readOnly ? [] : [checking(lint), editorHelp(objectHelper(latest))]),
          keymap.of([
            { key: 'Mod-s', run: () => runSave(latest.current.onSave) },
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...lintKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [readOnly, label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  // When a schema is loaded, the text is checked again immediately.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new schema is the reason to check again
  useEffect(() => {
    view.current?.dispatch({ effects: schemaArrived.of(null) });
  }, [schemaOf]);

  return <div ref={host} />;
}

/** Completion and hover from the schemas that are known by now. */
function objectHelper(latest: { readonly current: Pick<YamlEditorProps, 'schemaOf' | 'kinds'> }): EditorHelper {
  const known = () => ({ kinds: latest.current.kinds ?? [], schemaOf: latest.current.schemaOf ?? (() => undefined) });
  return {
    suggest: (text, offset) => objectSuggestionsAt(text, offset, known()),
    explain: (text, offset) => objectMeaningAt(text, offset, known()),
  };
}

/** Marks what is wrong: a moment after the text has changed, and after a schema has arrived. */
function checking(lint: (text: string) => Diagnostic[]): Extension[] {
  const options = { delay: LINT_DELAY_MS, needsRefresh: hasNewSchema };
  return [lintGutter(), linter((view) => lint(view.state.doc.toString()), options)];
}

function runSave(onSave: (() => void) | undefined): boolean {
  onSave?.();
  return onSave !== undefined;
}
