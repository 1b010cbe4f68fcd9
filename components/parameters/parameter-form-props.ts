import type { FormGroup } from '@/lib/kudo/view/form-model';
import type { ParameterDraft } from './parameter-draft';

export interface ParameterFormProps {
  groups: readonly FormGroup[];
  draft: ParameterDraft;
  /** By parameter name. */
  problems: ReadonlyMap<string, string>;
  /** `value` undefined takes the field out of the draft, null means the default. */
  onChange: (name: string, value: string | null | undefined) => void;
  /** True for an install: there are no previous values. */
  isNew?: boolean;
  /** Values that somebody else stored since the draft was started, by parameter name. */
  conflicts?: ReadonlyMap<string, string>;
}
