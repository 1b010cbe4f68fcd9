import type { FormGroup } from '@/lib/kudo/view/form-model';
import type { ParameterDraft } from './parameter-draft';

export interface ParameterFormProps {
  groups: readonly FormGroup[];
  draft: ParameterDraft;
  /** By parameter name. */
  problems: ReadonlyMap<string, string>;
  /** `value` undefined takes the field out of the draft, null means the default. */
  onChange: (name: string, value: string | null | undefined) => void;
  /** For an install: there is nothing that was before. */
  isNew?: boolean;
  /** Values that changed elsewhere since the draft was begun, by parameter name. */
  conflicts?: ReadonlyMap<string, string>;
}
