import type { FormField } from '@/lib/kudo/view/form-model';

export interface ControlWiring {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': true | undefined;
}

export interface ParameterControlProps {
  field: FormField;
  value: string;
  /** True when the draft has a value for it. */
  isDrafted: boolean;
  isLocked: boolean;
  wiring: ControlWiring;
  onChange: (value: string | undefined) => void;
}
