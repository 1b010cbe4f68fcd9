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
