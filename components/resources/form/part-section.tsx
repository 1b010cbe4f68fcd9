'use client';

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { typeWords } from '@/lib/schema/form/field-control';
import { type FormFieldProps, useFormScope } from './form-context';
import { RemoveButton } from './remove-button';

/** Deeper parts begin closed; what is wrong in them is said at the head of the form. */
const OPEN_UP_TO = 6;

/** A part of the object with fields of its own, which opens and closes. */
export function PartSection({
  path,
  member,
  value,
  locked,
  actions,
  children,
}: FormFieldProps & { children: ReactNode }) {
  const { idOf, problemsAt } = useFormScope();
  const [isOpen, setIsOpen] = useState(path.length <= OPEN_UP_TO);
  const name = partName(path, member.name);
  const id = idOf(path);
  const problems = problemsAt(path);
  return (
    <section data-field={id.slice(id.indexOf('-') + 1)} aria-label={name} className="grid min-w-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1 ps-2 pe-3">
        <button
          id={id}
          type="button"
          aria-expanded={isOpen}
          aria-describedby={`${id}-note`}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-8 min-w-0 items-center gap-1.5 rounded-md px-1.5 font-medium hover:bg-sunken"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classNames('shrink-0 text-ink-3', isOpen && 'rotate-90')}
          />
          <span className="min-w-0 break-all text-start">{name}</span>
        </button>
        <span className="text-ink-3 text-xs">
          {summaryOf(member.schema, value)}
          {member.isRequired && ', required'}
        </span>
        <span className="ms-auto flex items-center gap-1">
          {actions}
          {actions === undefined && <RemoveButton path={path} member={member} locked={locked} />}
        </span>
        <div id={`${id}-note`} className="w-full ps-[26px] text-ink-2 text-xs empty:hidden">
          {problems.map((problem) => (
            <p key={problem} className="text-fail">
              {problem.replaceAll('`', '')}
            </p>
          ))}
          {locked !== undefined && <p>{locked}</p>}
          {member.schema.description !== undefined && <p className="text-pretty">{member.schema.description}</p>}
        </div>
      </div>
      {isOpen && <div className="ms-4 border-line border-s">{children}</div>}
    </section>
  );
}

/** A field by its name; an item of a list by its place, with the name that it has. */
function partName(path: FormFieldProps['path'], name: string): string {
  return typeof path.at(-1) === 'number'
    ? `${path.at(-2) ?? 'item'} ${Number(path.at(-1)) + 1}${name === '' ? '' : ` · ${name}`}`
    : name;
}

function summaryOf(schema: FormFieldProps['member']['schema'], value: FormFieldProps['value']): string {
  if (Array.isArray(value)) return `${typeWords(schema)}, ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  return value === undefined ? `${typeWords(schema)}, not set` : typeWords(schema);
}
