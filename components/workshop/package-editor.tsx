'use client';

import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { editorHelp } from '@/components/ui/yaml-editor/editor-help';
import { editorTheme } from '@/components/ui/yaml-editor/editor-theme';
import { pageNonce } from '@/components/ui/yaml-editor/page-nonce';
import type { DraftProblem } from '@/lib/workshop/check-draft';
import { suggestionsAt } from '@/lib/workshop/completions';
import { meaningAt } from '@/lib/workshop/hover';
import type { Knowledge } from '@/lib/workshop/package-names';
import { quickFixOf } from '@/lib/workshop/quick-fix';
import { actionMarks, workshopTheme } from './editor-look';
import { changeBetween, rangeOfLine } from './editor-text';

export interface PackageEditorProps {
  readonly path: string;
  readonly text: string;
  /** Of this file. */
  readonly problems: readonly DraftProblem[];
  readonly knowledge: Knowledge;
  /** A line to go to; a new object goes there again. */
  readonly target: { readonly line: number } | undefined;
  readonly onChange: (path: string, text: string) => void;
  readonly onFix: (problem: DraftProblem) => void;
}

/** The editor of one file of a package. Each file keeps its cursor and its history while the page is open. */
export default function PackageEditor(props: PackageEditorProps) {
  const { path, text, problems, target } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const shown = useRef(path);
  const states = useRef(new Map<string, EditorState>());
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first file is handed over once; others come by the next effect
  useEffect(() => {
    if (host.current === null) return undefined;
    const state = EditorState.create({ doc: text, extensions: extensionsOf(path, latest) });
    const editor = new EditorView({ parent: host.current, state });
    view.current = editor;
    shown.current = path;
    return () => editor.destroy();
  }, []);

  useLayoutEffect(() => {
    const editor = view.current;
    if (editor === undefined || shown.current === path) return;
    states.current.set(shown.current, editor.state);
    shown.current = path;
    const known = states.current.get(path);
    editor.setState(known ?? EditorState.create({ doc: text, extensions: extensionsOf(path, latest) }));
  }, [path, text]);

  // A text that was changed outside: by a quick fix, or in another tab. Before the next key is handled, so that no key is lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that was open before may have changed meanwhile
  useLayoutEffect(() => {
    const editor = view.current;
    const changes = editor === undefined ? undefined : changeBetween(editor.state.doc.toString(), text);
    if (changes !== undefined) editor?.dispatch({ changes });
  }, [text, path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has other marks
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const fix = (problem: DraftProblem) => latest.current.onFix(problem);
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(problems, editor.state, fix)));
  }, [problems, path]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || target === undefined) return;
    const [from] = rangeOfLine(editor.state.doc, target.line);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    editor.focus();
  }, [target]);

  return <div ref={host} className="h-full min-h-0 [&>.cm-editor]:h-full" data-package-editor={path} />;
}

function extensionsOf(path: string, latest: { readonly current: PackageEditorProps }): Extension[] {
  return [
    EditorView.cspNonce.of(pageNonce()),
    EditorView.contentAttributes.of({
      'aria-label': `Text of ${path}`,
      'aria-describedby': 'workshop-keys',
      tabindex: '0',
    }),
    lineNumbers(),
    lintGutter(),
    foldGutter(),
    drawSelection(),
    history(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    ...(/\.ya?ml$/.test(path) ? [yaml()] : [EditorView.lineWrapping]),
    actionMarks,
    // The first theme wins.
    workshopTheme,
    editorTheme,
    editorHelp({
      suggest: (text, offset) => suggestionsAt({ path, text, offset }, latest.current.knowledge),
      explain: (text, offset) => meaningAt({ path, text, offset }, latest.current.knowledge),
    }),
    // Escape, then Tab leaves the editor (CodeMirror's own rule).
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const { current } = latest;
      const text = state.doc.toString();
      if (docChanged && current.path === path && current.text !== text) current.onChange(path, text);
    }),
  ];
}

function diagnosticsOf(
  problems: readonly DraftProblem[],
  state: EditorState,
  onFix: (problem: DraftProblem) => void,
): Diagnostic[] {
  return problems.map((problem) => {
    const [from, to] = rangeOfLine(state.doc, problem.line);
    const fix = quickFixOf(problem);
    return {
      ...{ from, to, severity: problem.severity, message: problem.message },
      actions: fix === undefined ? [] : [{ name: fix.title, apply: () => onFix(problem) }],
    };
  });
}
