'use client';

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { lintYaml, type SchemaOf } from '@/lib/yaml/lint-yaml';
import { editorTheme } from './editor-theme';
import type { YamlEditorProps } from './yaml-editor-props';

const LINT_DELAY_MS = 300;

/** CodeMirror with YAML, our colours and the schema's lint. Loaded only where it is shown. */
export default function CodeEditor({
  value,
  onChange,
  readOnly = false,
  label,
  schemaOf,
  onFindings,
  onSave,
}: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, schemaOf, onFindings, onSave });
  latest.current = { onChange, schemaOf, onFindings, onSave };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is handed over once; later ones come by the next effect
  useEffect(() => {
    if (host.current === null) return undefined;
    const lint = (text: string): Diagnostic[] => {
      const findings = lintYaml(text, (...kind: Parameters<SchemaOf>) => latest.current.schemaOf?.(...kind));
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
          ...(readOnly
            ? []
            : [lintGutter(), linter((current) => lint(current.state.doc.toString()), { delay: LINT_DELAY_MS })]),
          keymap.of([
            { key: 'Mod-s', run: () => runSave(latest.current.onSave) },
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
    if (view.current !== undefined) forceLinting(view.current);
  }, [schemaOf]);

  return <div ref={host} />;
}

function runSave(onSave: (() => void) | undefined): boolean {
  onSave?.();
  return onSave !== undefined;
}

/** The nonce of this page, for the style sheet that CodeMirror makes; the browser keeps it readable by scripts only. */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
