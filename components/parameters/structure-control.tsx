'use client';

import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input, Textarea } from '@/components/ui/input';
import type { ParameterControlProps } from './parameter-control-props';
import { formatRows, parseRows, type StructureRow } from './structure-rows';

/** A list or map: rows for plain values, YAML for everything deeper, and a switch between the two. */
export function StructureControl(props: ParameterControlProps) {
  const { field, value, wiring, onChange } = props;
  const type = field.type === 'array' ? 'array' : 'map';
  const [asYaml, setAsYaml] = useState(() => parseRows(type, value) === undefined);
  const rows = asYaml ? undefined : parseRows(type, value);
  const toggle = (
    <Button
      size="small"
      variant="quiet"
      disabledReason={
        asYaml && parseRows(type, value) === undefined
          ? 'This value has nested lists or maps. Edit it as YAML.'
          : undefined
      }
      onClick={() => setAsYaml(!asYaml)}
    >
      {asYaml ? 'Edit as rows' : 'Edit as YAML'}
    </Button>
  );
  return (
    <div className="grid w-full max-w-[520px] gap-1.5">
      {rows === undefined ? (
        <>
          <Textarea
            {...wiring}
            mono
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <div>{toggle}</div>
        </>
      ) : (
        <Rows {...props} type={type} rows={rows}>
          {toggle}
        </Rows>
      )}
    </div>
  );
}

function Rows({
  type,
  rows,
  field,
  wiring,
  onChange,
  children,
}: ParameterControlProps & {
  type: 'array' | 'map';
  rows: StructureRow[];
  /** Beside the button that adds. */
  children: ReactNode;
}) {
  // A new map entry without a key cannot be written as YAML: it is kept here until it gets one.
  const [pending, setPending] = useState<StructureRow>();
  const write = (next: StructureRow[]) => onChange(formatRows(type, next));
  const change = (index: number, part: Partial<StructureRow>) => {
    write(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  };
  const add = () => (type === 'array' ? write([...rows, { key: '', value: '' }]) : setPending({ key: '', value: '' }));
  const settle = () => {
    if (pending === undefined || pending.key === '') return;
    write([...rows.filter(({ key }) => key !== pending.key), pending]);
    setPending(undefined);
  };
  return (
    <fieldset
      className="grid gap-1.5"
      aria-labelledby={`${wiring.id}-label`}
      aria-describedby={wiring['aria-describedby']}
    >
      {rows.map((row, index) => (
        <EntryRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          key={index}
          row={row}
          index={index}
          type={type}
          field={field}
          wiring={wiring}
          onChange={(part) => change(index, part)}
          onRemove={() => write(rows.filter((_, at) => at !== index))}
        />
      ))}
      {pending !== undefined && (
        <PendingRow
          label={field.label}
          row={pending}
          onChange={setPending}
          onLeave={settle}
          onRemove={() => setPending(undefined)}
        />
      )}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          size="small"
          icon={<Plus size={13} aria-hidden="true" />}
          id={rows.length === 0 ? wiring.id : undefined}
          onClick={add}
        >
          {type === 'map' ? 'Add an entry' : 'Add an item'}
        </Button>
        {children}
      </div>
    </fieldset>
  );
}

function EntryRow({
  row,
  index,
  type,
  field,
  wiring,
  onChange,
  onRemove,
}: Pick<ParameterControlProps, 'field' | 'wiring'> & {
  row: StructureRow;
  index: number;
  type: 'array' | 'map';
  onChange: (part: Partial<StructureRow>) => void;
  onRemove: () => void;
}) {
  return (
    <div className="flex items-center gap-1.5">
      {type === 'map' && (
        <Input
          mono
          aria-label={`Key ${index + 1} of ${field.label}`}
          value={row.key}
          onChange={(event) => event.target.value !== '' && onChange({ key: event.target.value })}
        />
      )}
      <Input
        mono
        id={index === 0 ? wiring.id : undefined}
        aria-label={type === 'map' ? `Value of ${row.key}` : `Item ${index + 1} of ${field.label}`}
        aria-invalid={wiring['aria-invalid']}
        value={row.value}
        onChange={(event) => onChange({ value: event.target.value })}
      />
      <Button variant="quiet" iconOnly icon={<X size={14} aria-hidden="true" />} onClick={onRemove}>
        {`Remove ${type === 'map' ? row.key : `item ${index + 1}`}`}
      </Button>
    </div>
  );
}

/** A map entry that has no key yet: it becomes a row when its fields are left. */
function PendingRow({
  label,
  row,
  onChange,
  onLeave,
  onRemove,
}: {
  label: string;
  row: StructureRow;
  onChange: (row: StructureRow) => void;
  onLeave: () => void;
  onRemove: () => void;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the fields inside are left
    <div
      className="flex items-center gap-1.5"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onLeave()}
    >
      <Input
        mono
        autoFocus
        aria-label={`New key of ${label}`}
        placeholder="key"
        value={row.key}
        onChange={(event) => onChange({ ...row, key: event.target.value })}
      />
      <Input
        mono
        aria-label={`New value of ${label}`}
        placeholder="value"
        value={row.value}
        onChange={(event) => onChange({ ...row, value: event.target.value })}
      />
      <Button variant="quiet" iconOnly icon={<X size={14} aria-hidden="true" />} onClick={onRemove}>
        Remove the new entry
      </Button>
    </div>
  );
}
