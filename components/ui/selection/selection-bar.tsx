'use client';

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { BottomBar } from '../bottom-bar';
import { Button } from '../button';
import type { RowSelection, SelectableRow, SelectionSurvey } from './row-selection';

/** Says what is selected, offers what can be done with it, and clears it. Nothing while nothing is selected. */
export function SelectionBar<R extends SelectableRow>({
  selection,
  survey,
  nameOf,
  children,
}: {
  selection: RowSelection<R>;
  survey: SelectionSurvey<R>;
  nameOf: (row: R) => string;
  /** The actions. */
  children: ReactNode;
}) {
  const { present, hidden, vanished } = survey;
  if (present.length + vanished.length === 0) return null;
  return (
    <BottomBar label="Selection" className="z-20 py-2">
      <div className="min-w-0" role="status">
        <strong className="font-semibold">{present.length} selected</strong>
        {hidden > 0 && <span className="text-ink-2">, {hidden} hidden by the filter</span>}
        {vanished.length > 0 && <span className="text-wait"> · {vanishedText(vanished.map(nameOf))}</span>}
      </div>
      {vanished.length > 0 && (
        <Button size="small" variant="quiet" onClick={() => selection.drop(vanished.map(({ uid }) => uid))}>
          Forget {vanished.length === 1 ? 'it' : 'them'}
        </Button>
      )}
      <div className="ms-auto flex flex-wrap items-center gap-2">
        {present.length > 0 && children}
        <Button
          size="small"
          variant="quiet"
          icon={<X size={14} aria-hidden="true" />}
          onClick={() => {
            selection.clear();
            document.querySelector<HTMLElement>('[data-select-all]')?.focus();
          }}
        >
          Clear
        </Button>
      </div>
    </BottomBar>
  );
}

const NAMED = 3;

function vanishedText(names: readonly string[]): string {
  const first = names.slice(0, NAMED).join(', ');
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${first}${more} ${names.length === 1 ? 'no longer exists' : 'no longer exist'}`;
}
