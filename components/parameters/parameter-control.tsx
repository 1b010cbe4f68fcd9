'use client';

import { Lock } from 'lucide-react';
import { Input, Select, Textarea } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import { BackupControl } from './backup-control';
import type { ParameterControlProps } from './parameter-control-props';
import { ReferenceControl } from './reference-control';
import { SecretControl } from './secret-control';
import { StructureControl } from './structure-control';

/** The control for the type of the parameter: switch, choices, number, text, rows, or a secret that can only be replaced. */
export function ParameterControl(props: ParameterControlProps) {
  const { field, value, isLocked, wiring, onChange } = props;
  if (isLocked) return <LockedControl {...props} />;
  if (field.isSecret) return <SecretControl {...props} />;
  if (field.enum !== undefined) return <EnumControl {...props} />;
  if (field.picker === 'backup') return <BackupControl {...props} />;
  if (field.reference !== undefined) return <ReferenceControl {...props} />;
  const isBoolean = field.type === 'boolean' && (value === 'true' || value === 'false');
  if (isBoolean) {
    return (
      <span className="inline-flex min-h-8 items-center gap-2">
        <Switch
          {...wiring}
          checked={parseGoBoolean(value) === true}
          onChange={(checked) => onChange(checked ? 'true' : 'false')}
        />
        <span aria-hidden="true">{value === 'true' ? 'On' : 'Off'}</span>
      </span>
    );
  }
  if (field.type === 'array' || field.type === 'map') return <StructureControl {...props} />;
  if (value.includes('\n') || (field.default ?? '').includes('\n')) {
    return (
      <Textarea {...wiring} mono spellCheck={false} value={value} onChange={(event) => onChange(event.target.value)} />
    );
  }
  const isNumber = field.type === 'integer' || field.type === 'number';
  return (
    <Input
      {...wiring}
      mono
      autoComplete="off"
      spellCheck={false}
      inputMode={isNumber ? 'decimal' : undefined}
      className={isNumber ? 'max-w-40' : 'max-w-[420px]'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function LockedControl({ field, value, wiring }: ParameterControlProps) {
  return (
    <span className="relative block w-full max-w-[420px]">
      <Lock size={13} aria-hidden="true" className="-translate-y-1/2 absolute top-1/2 left-2.5 text-ink-3" />
      <Input
        {...wiring}
        mono
        readOnly
        data-locked="true"
        className="ps-8"
        value={field.isSecret ? '••••••••' : value}
      />
    </span>
  );
}

function EnumControl({ field, value, wiring, onChange }: ParameterControlProps) {
  const choices = field.enum ?? [];
  return (
    <Select {...wiring} mono className="max-w-[280px]" value={value} onChange={(event) => onChange(event.target.value)}>
      {!choices.includes(value) && <option value={value}>{value === '' ? 'Choose…' : value}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </Select>
  );
}
