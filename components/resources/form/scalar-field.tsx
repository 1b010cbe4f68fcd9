'use client';

import { Input, Select, Textarea } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { JsonValue } from '@/lib/json/json';
import { parseQuantity } from '@/lib/kube/quantity';
import { type FieldControl, typedValue } from '@/lib/schema/form/field-control';
import { type FieldControlWiring, FieldRow } from './field-row';
import { type FormFieldProps, useFormScope } from './form-context';

interface ScalarProps extends FormFieldProps {
  readonly control: FieldControl;
}

/** A text, a number, a choice or a switch. */
export function ScalarField(props: ScalarProps) {
  return (
    <FieldRow {...props} note={noteOf(props)}>
      {(wiring) => <ScalarControl {...props} wiring={wiring} />}
    </FieldRow>
  );
}

function ScalarControl({ path, member, value, locked, control, wiring }: ScalarProps & { wiring: FieldControlWiring }) {
  const { edit, readOnly } = useFormScope();
  const isFixed = readOnly !== undefined || locked !== undefined;
  const write = (next: JsonValue) => edit({ op: 'set', path, value: next });
  const text = value === undefined || value === null ? '' : String(value);
  const onText = (typed: string) => write(typedValue(control, typed, value));
  if (control === 'boolean' && (value === undefined || value === null || typeof value === 'boolean')) {
    const { 'aria-invalid': _invalid, 'aria-required': _required, ...rest } = wiring;
    return (
      <span className="inline-flex min-h-8 items-center gap-2">
        <Switch {...rest} disabled={isFixed} checked={value === true} onChange={write} />
        <span aria-hidden="true">{value === true ? 'true' : value === false ? 'false' : 'not set'}</span>
      </span>
    );
  }
  if (control === 'choice') return <ChoiceControl {...{ member, text, isFixed, wiring }} onChoose={write} />;
  if (control === 'lines') {
    return (
      <Textarea
        {...wiring}
        mono
        spellCheck={false}
        readOnly={isFixed}
        className="max-w-[640px]"
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
    );
  }
  const isNumber = control === 'integer' || control === 'number';
  const isShort = isNumber || control === 'int-or-string' || control === 'quantity';
  return (
    <Input
      {...wiring}
      mono
      autoComplete="off"
      spellCheck={false}
      inputMode={isNumber ? 'decimal' : undefined}
      className={isShort ? 'max-w-40' : 'max-w-[420px]'}
      readOnly={isFixed}
      placeholder={placeholderOf(member.schema.default)}
      value={text}
      onChange={({ target }) => onText(target.value)}
    />
  );
}

function ChoiceControl({
  member,
  text,
  isFixed,
  wiring,
  onChoose,
}: Pick<FormFieldProps, 'member'> & {
  text: string;
  isFixed: boolean;
  wiring: FieldControlWiring;
  onChoose: (value: JsonValue) => void;
}) {
  const choices = (member.schema.enum ?? []).filter((each) => each !== null);
  return (
    <Select
      {...wiring}
      mono
      disabled={isFixed}
      className="max-w-[280px]"
      value={text}
      onChange={({ target }) => onChoose(choices.find((each) => String(each) === target.value) ?? target.value)}
    >
      {!choices.some((each) => String(each) === text) && <option value={text}>{text === '' ? 'Choose…' : text}</option>}
      {choices.map((choice) => (
        <option key={String(choice)} value={String(choice)}>
          {String(choice)}
        </option>
      ))}
    </Select>
  );
}

/** A default is shown, never written: the API server sets it. */
function placeholderOf(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}

function noteOf({ control, value, member }: ScalarProps): string | undefined {
  if (control === 'quantity' && typeof value === 'string' && value !== '' && parseQuantity(value) === undefined) {
    return 'A quantity is a number with a unit: 500m, 2, 1.5Gi.';
  }
  const { minimum, maximum } = member.schema;
  if (minimum !== undefined && maximum !== undefined) return `From ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `At least ${minimum}.`;
  return maximum === undefined ? undefined : `At most ${maximum}.`;
}
