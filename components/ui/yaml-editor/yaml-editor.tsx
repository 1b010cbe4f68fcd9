'use client';

import dynamic from 'next/dynamic';
import type { SchemaOf, YamlFinding } from '@/lib/yaml/lint-yaml';

export interface YamlEditorProps {
  value: string;
  onChange?: (value: string) => void;
  readOnly?: boolean;
  /** The accessible name. */
  label: string;
  /** Schemas to check against; see `useSchemas` of components/resources. Must keep its identity while nothing changes. */
  schemaOf?: SchemaOf | undefined;
  /** What is wrong, whenever that was looked at again. */
  onFindings?: (findings: readonly YamlFinding[]) => void;
  /** Ctrl or ⌘ S. */
  onSave?: () => void;
}

const CodeEditor = dynamic(() => import('./code-editor'), {
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
