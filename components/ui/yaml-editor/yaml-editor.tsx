'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';
import type { YamlEditorProps } from './yaml-editor-props';

const CodeEditor = dynamic(() => loadPart(() => import('./code-editor')), {
  ssr: false,
  loading: () => <p className="p-4 text-ink-3">Opening the editor…</p>,
});

/** A YAML editor with highlighting, search and lint by schema. Fills its parent's width; grows to 70 % of the window. */
export function YamlEditor(props: YamlEditorProps) {
  return (
    <div className="min-h-64" data-yaml-editor="">
      <CodeEditor {...props} />
    </div>
  );
}
