import type { JsonObject } from '@/lib/json/json';
import type { KnownKinds } from '@/lib/yaml/complete/object-suggestions';
import type { SchemaOf, YamlFinding } from '@/lib/yaml/lint-yaml';

export interface YamlEditorProps {
  value: string;
  onChange?: (value: string) => void;
  readOnly?: boolean;
  /** The accessible name. */
  label: string;
  /** Schemas to check against; see `useSchemas` of components/resources. Must be the same function while the schemas are the same. */
  schemaOf?: SchemaOf | undefined;
  /** Kinds of the cluster, for completion of `kind` and `apiVersion`. */
  kinds?: KnownKinds['kinds'] | undefined;
  /** The object before the edit, which rules in CEL compare with. */
  old?: JsonObject | undefined;
  /** Called with the findings after each check. */
  onFindings?: (findings: readonly YamlFinding[]) => void;
  /** Ctrl or ⌘ S. */
  onSave?: () => void;
}
