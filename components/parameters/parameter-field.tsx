'use client';

import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import type { FormField } from '@/lib/kudo/view/form-model';
import { ParameterControl } from './parameter-control';
import { draftValue, isChanged, shownProblem } from './parameter-draft';
import type { ParameterFormProps } from './parameter-form-props';

const LONGEST_SHOWN = 60;

/** One parameter: its name and description, its control, and notes about its value. */
export function ParameterField({
  field,
  showPlan,
  draft,
  problems,
  onChange,
  conflicts,
  isNew = false,
}: { field: FormField; showPlan: boolean } & ParameterFormProps) {
  const id = useId();
  const changed = isChanged(field, draft);
  const problem = shownProblem(field, draft, problems);
  const conflict = conflicts?.get(field.name);
  const isLocked = field.lockedBecause !== undefined;
  const noteId = `${id}-note`;
  return (
    <div
      data-parameter={field.name}
      className={classNames(
        'grid gap-x-6 gap-y-1.5 px-4 py-3 md:grid-cols-[minmax(0,260px)_minmax(0,1fr)]',
        changed && 'bg-accent-soft/40 shadow-[inset_3px_0_var(--color-accent)]',
      )}
    >
      <div className="min-w-0">
        <label htmlFor={id} id={`${id}-label`} className="font-medium">
          {field.label}
          {field.isRequired && <span className="font-normal text-ink-3"> (required)</span>}
        </label>
        {field.label !== field.name && <code className="block text-[11px] text-ink-3">{field.name}</code>}
        {field.description !== undefined && (
          <p id={`${id}-hint`} className="text-pretty text-ink-2 text-xs">
            {field.description}
          </p>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-1">
        <div className="flex flex-wrap items-start gap-x-2 gap-y-1">
          <ParameterControl
            field={field}
            value={draftValue(field, draft)}
            isDrafted={draft[field.name] !== undefined && draft[field.name] !== null}
            isLocked={isLocked}
            wiring={{
              id,
              'aria-describedby': [field.description !== undefined && `${id}-hint`, noteId].filter(Boolean).join(' '),
              'aria-invalid': problem === undefined ? undefined : true,
            }}
            onChange={(value) => onChange(field.name, value)}
          />
          {changed && (
            <Button variant="quiet" onClick={() => onChange(field.name, undefined)}>
              Undo
            </Button>
          )}
          {!changed && !isLocked && !isNew && field.isSet && field.default !== undefined && (
            <Button variant="quiet" onClick={() => onChange(field.name, null)}>
              Use default
            </Button>
          )}
        </div>
        <div id={noteId} className="text-ink-2 text-xs">
          {problem !== undefined && <p className="text-fail">{problem}</p>}
          {conflict !== undefined && (
            <p className="text-wait">
              Somebody changed this to <code>{conflict === '' ? '(empty)' : shorten(conflict)}</code>. Applying replaces
              it with your value.{' '}
              <button
                type="button"
                className="underline underline-offset-2"
                onClick={() => onChange(field.name, undefined)}
              >
                Keep theirs
              </button>
            </p>
          )}
          <FieldNotes field={field} changed={changed} isNew={isNew} showPlan={showPlan} />
        </div>
      </div>
    </div>
  );
}

/** Where the value is, whether a secret one is set, or the default. */
function noteOfValue(field: FormField, changed: boolean): string | undefined {
  if (field.source !== undefined) return `The value is in ${field.source}. It is never shown.`;
  if (field.isSecret)
    return field.isSet ? 'Set. The value is never shown.' : 'The value is not shown once it is stored.';
  if (field.default === undefined) return undefined;
  return !changed && !field.isSet ? 'Default' : `Default: ${shorten(field.default) || 'empty'}`;
}

function FieldNotes({
  field,
  changed,
  isNew,
  showPlan,
}: {
  field: FormField;
  changed: boolean;
  isNew: boolean;
  showPlan: boolean;
}) {
  if (field.lockedBecause !== undefined)
    return (
      <p>
        {field.isImmutable ? 'Immutable. ' : ''}
        {field.lockedBecause}
      </p>
    );
  const notes: string[] = [];
  if (field.hint !== undefined) notes.push(field.hint);
  const valueNote = noteOfValue(field, changed);
  if (valueNote !== undefined) notes.push(valueNote);
  if (isNew && field.isImmutable) notes.push('Cannot be changed after the install');
  if (showPlan && !isNew && field.plan !== undefined) notes.push(`Starts plan ${field.plan}`);
  const was = changed && !isNew && !field.isSecret ? shorten(field.value) || 'empty' : undefined;
  if (was === undefined && notes.length === 0) return null;
  return (
    <p>
      {was !== undefined && (
        <>
          was <s className="mono">{was}</s>
          {notes.length > 0 && ' · '}
        </>
      )}
      {notes.reduce(joined, '')}
    </p>
  );
}

/** Joins notes by a dot, except after a sentence, which has its full stop. */
function joined(text: string, note: string): string {
  if (text === '') return note;
  return `${text}${text.endsWith('.') ? ' ' : ' · '}${note}`;
}

function shorten(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/g, ', ');
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN - 1)}…`;
}
