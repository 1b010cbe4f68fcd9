'use client';

import type { ReactNode } from 'react';
import { typeWords } from '@/lib/schema/form/field-control';
import { type FormFieldProps, useFormScope } from './form-context';
import { RemoveButton } from './remove-button';

export interface FieldControlWiring {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

/** A field with one control: name, type and description beside it, what is wrong below it. */
export function FieldRow({
  path,
  member,
  locked,
  actions,
  note,
  children,
}: FormFieldProps & { note?: ReactNode; children: (wiring: FieldControlWiring) => ReactNode }) {
  const { idOf, problemsAt } = useFormScope();
  const id = idOf(path);
  const problems = problemsAt(path);
  const { name, schema, isRequired, isKnown } = member;
  return (
    <div className="grid gap-x-5 gap-y-1 px-4 py-2 md:grid-cols-[minmax(0,200px)_minmax(0,1fr)]">
      <div className="min-w-0">
        <label htmlFor={id} id={`${id}-label`} className="break-all font-medium">
          {typeof path.at(-1) === 'number' ? `Item ${Number(path.at(-1)) + 1}` : name}
        </label>
        <span className="ms-1.5 text-ink-3 text-xs">
          {isKnown ? typeWords(schema) : 'not in the schema'}
          {isRequired && ', required'}
        </span>
      </div>
      <div className="grid min-w-0 content-start gap-1">
        <div className="flex min-w-0 flex-wrap items-start gap-1.5">
          {children({
            id,
            'aria-describedby': `${id}-note`,
            'aria-invalid': problems.length === 0 ? undefined : true,
            'aria-required': isRequired ? true : undefined,
          })}
          {actions}
          {actions === undefined && <RemoveButton path={path} member={member} locked={locked} />}
        </div>
        <div id={`${id}-note`} className="text-ink-2 text-xs empty:hidden">
          {problems.map((problem) => (
            <p key={problem} className="text-fail">
              {problem.replaceAll('`', '')}
            </p>
          ))}
          {locked !== undefined && <p>{locked}</p>}
          {note}
          {schema.description !== undefined && <p className="text-pretty">{schema.description}</p>}
          {schema.default !== undefined && !member.isSet && (
            <p>
              Default:{' '}
              <code>{typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}</code>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}
