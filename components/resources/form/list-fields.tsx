'use client';

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { type JsonValue, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { starterValue } from '@/lib/schema/form/starter-value';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { type FormFieldProps, useFormScope } from './form-context';

const ANY: JsonSchema = {};

/** The items of a list: each with its fields, moved, removed and added. */
export function ListFields({ path, member, value, locked }: FormFieldProps) {
  const { Field, edit, readOnly, idOf } = useFormScope();
  const items = Array.isArray(value) ? value : [];
  const schema = member.schema.items ?? ANY;
  const isFixed = readOnly !== undefined || locked !== undefined;
  const shown = items.slice(0, limits.forms.shownMembers);
  return (
    <div className="divide-y divide-line">
      {shown.map((item, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
          key={index}
          path={[...path, index]}
          member={{ name: nameOfItem(item), schema, isRequired: false, isSet: true, isKnown: true }}
          value={item}
          locked={locked}
          actions={isFixed ? <span /> : <ItemActions {...{ path, index }} count={items.length} />}
        />
      ))}
      {items.length > shown.length && (
        <p className="px-4 py-2 text-ink-2">{items.length - shown.length} more items are in the YAML.</p>
      )}
      {!isFixed && (
        <div className="px-4 py-2">
          <Button
            size="small"
            id={`${idOf(path)}-add`}
            icon={<Plus size={13} aria-hidden="true" />}
            onClick={() => {
              const at = [...path, items.length];
              edit({ op: 'set', path: at, value: starterValue(schema) }, at);
            }}
          >
            Add item to {member.name === '' ? 'list' : member.name}
          </Button>
        </div>
      )}
    </div>
  );
}

function ItemActions({ path, index, count }: Pick<FormFieldProps, 'path'> & { index: number; count: number }) {
  const { edit } = useFormScope();
  const move = (to: number) => edit({ op: 'move', path, from: index, to }, [...path, to]);
  const place = `item ${index + 1} of ${path.at(-1)}`;
  return (
    <span className="flex items-center">
      {count > 1 && (
        <>
          <Button
            {...LOOK}
            icon={<ArrowUp size={14} aria-hidden="true" />}
            disabledReason={index === 0 ? 'This is the first item.' : undefined}
            onClick={() => move(index - 1)}
          >
            {`Move ${place} up`}
          </Button>
          <Button
            {...LOOK}
            icon={<ArrowDown size={14} aria-hidden="true" />}
            disabledReason={index === count - 1 ? 'This is the last item.' : undefined}
            onClick={() => move(index + 1)}
          >
            {`Move ${place} down`}
          </Button>
        </>
      )}
      <Button
        {...LOOK}
        icon={<X size={14} aria-hidden="true" />}
        onClick={() => edit({ op: 'remove', path: [...path, index] })}
      >
        {`Remove ${place}`}
      </Button>
    </span>
  );
}

const LOOK = { variant: 'quiet', size: 'small', iconOnly: true } as const;

/** What tells an item from the others: its name, or its key. */
function nameOfItem(item: JsonValue): string {
  return stringAt(item, 'name') ?? stringAt(item, 'key') ?? stringAt(item, 'type') ?? '';
}
