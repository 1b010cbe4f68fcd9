'use client';

import { StatusIcon } from '@/components/ui/status-icon';
import type { FormPath } from '@/lib/schema/form/field-path';
import { plainFieldText } from '@/lib/schema/form/field-path';

const MOST_SHOWN = 10;

/** Everything that is wrong, at the head of the form; a click leads to the field, when the form shows it. */
export function FormSummary({
  problems,
  idOf,
}: {
  problems: readonly { readonly field: string; readonly message: string }[];
  idOf: (path: FormPath) => string;
}) {
  if (problems.length === 0) return null;
  const go = (field: string) => {
    const parts = plainFieldText(field)
      .split(/[.[\]]+/)
      .filter(Boolean);
    for (let length = parts.length; length > 0; length--) {
      const path = parts.slice(0, length).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
      const target = document.getElementById(idOf(path));
      if (target !== null) return target.focus();
    }
  };
  return (
    <section aria-label="Problems in the form" className="border-b bg-fail-soft px-4 py-2">
      <ul className="grid gap-0.5">
        {problems.slice(0, MOST_SHOWN).map(({ field, message }) => (
          <li key={`${field} ${message}`} className="flex items-start gap-2">
            <span className="mt-0.5 text-fail">
              <StatusIcon shape="octagon" />
            </span>
            <button
              type="button"
              className="min-w-0 break-words text-start underline underline-offset-2"
              onClick={() => go(field)}
            >
              {message.replaceAll('`', '')}
            </button>
          </li>
        ))}
        {problems.length > MOST_SHOWN && <li className="text-ink-2">{problems.length - MOST_SHOWN} more</li>}
      </ul>
    </section>
  );
}
