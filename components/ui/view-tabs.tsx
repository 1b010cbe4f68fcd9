'use client';

import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { classNames } from './class-names';

export interface ViewTab {
  readonly key: string;
  readonly label: string;
  /** Beside the label, quieter: how much there is. */
  readonly note?: string | undefined;
}

/** Tabs that change what is below them, on the same page. One stop of the Tab key; arrow keys choose. */
export function ViewTabs({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: {
  label: string;
  tabs: readonly ViewTab[];
  chosen: string;
  onChoose: (key: string) => void;
  /** The content of the chosen tab. */
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ key }) => key === chosen);
    const next = targetOf(event.key, at, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onChoose(tab.key);
    list.current?.querySelectorAll('button')[next ?? 0]?.focus();
  };
  return (
    <div className="min-w-0">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="no-bar flex gap-1 overflow-x-auto border-b px-2"
      >
        {tabs.map(({ key, label: text, note }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            aria-selected={key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => onChoose(key)}
            className={classNames(
              '-mb-px whitespace-nowrap border-b-2 px-2.5 py-[9px] font-medium hover:text-ink focus-visible:-outline-offset-2',
              key === chosen ? 'border-accent text-ink' : 'border-transparent text-ink-2',
            )}
          >
            {text}
            {note !== undefined && <span className="ms-1.5 font-normal text-ink-3 text-xs tabular-nums">{note}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
