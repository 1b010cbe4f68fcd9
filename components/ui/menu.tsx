'use client';

import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from './class-names';

export interface MenuEntry {
  label: ReactNode;
  /** A stable key. */
  key: string;
  icon?: ReactNode;
  danger?: boolean;
  /** True for the selected one of alternatives. */
  checked?: boolean;
  /** The heading of this entry and of those after it that have the same one. */
  group?: string;
  disabledReason?: string | undefined;
  onSelect: () => void;
  [data: `data-${string}`]: string | undefined;
}

/**
 * A button that opens a list of actions. Arrow keys, Home and End move in it; Escape closes it and returns the focus. The list is a
 * popover in the top layer, which closes on a click elsewhere.
 */
export function Menu({
  label,
  trigger,
  entries,
  className,
  header,
}: {
  label: string;
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  className?: string;
  header?: ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const focusItem = (step: 'first' | 'last' | 1 | -1) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = step === 'first' ? 0 : step === 'last' ? items.length - 1 : (at + step + items.length) % items.length;
    items[next]?.focus();
  };
  /** Opens the list immediately, not at the browser's toggle event: the next key may already be for an entry. */
  const show = () => {
    if (button.current === null || list.current === null) return;
    list.current.showPopover();
    placeMenu(button.current, list.current);
    focusItem('first');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (step !== undefined) focusItem(step);
    else if (event.key === 'Home') focusItem('first');
    else if (event.key === 'End') focusItem('last');
    else if (event.key === 'Tab') list.current?.hidePopover();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        className={className ?? 'btn'}
        onClick={(event) => {
          // Open already: the browser closes it.
          if (list.current?.matches(':popover-open') !== false) return;
          event.preventDefault();
          show();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          show();
        }}
      >
        {trigger}
      </button>
      <div
        ref={list}
        id={id}
        role="menu"
        tabIndex={-1}
        popover="auto"
        aria-label={label}
        onKeyDown={onKeyDown}
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="m-0 max-h-[70dvh] min-w-44 max-w-[min(360px,92vw)] overflow-y-auto rounded-lg border border-line-strong bg-raised p-1 text-ink shadow-float"
      >
        {header}
        {entries.map((entry, index) => (
          <Fragment key={entry.key}>
            {entry.group !== undefined && entry.group !== entries[index - 1]?.group && (
              <div aria-hidden="true" className="px-2.5 pt-2 pb-0.5 font-semibold text-ink-2 text-xs">
                {entry.group}
              </div>
            )}
            <MenuItem entry={entry} onDone={() => list.current?.hidePopover()} />
          </Fragment>
        ))}
      </div>
    </>
  );
}

function MenuItem({ entry, onDone }: { entry: MenuEntry; onDone: () => void }) {
  const { label, key: _key, icon, danger, checked, group, disabledReason, onSelect, ...data } = entry;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a menuitemradio has aria-checked
    <button
      {...data}
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      aria-disabled={disabledReason === undefined ? undefined : true}
      title={disabledReason}
      tabIndex={-1}
      onClick={() => {
        if (disabledReason !== undefined) return;
        onDone();
        onSelect();
      }}
      className={classNames(
        'flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-start focus-visible:-outline-offset-2 hover:bg-accent-soft aria-disabled:cursor-not-allowed aria-disabled:text-ink-3',
        danger === true && 'text-fail',
        checked === true && 'font-semibold',
      )}
    >
      {icon}
      <span className="min-w-0 flex-1">
        {group !== undefined && <span className="sr-only">{group}: </span>}
        {label}
      </span>
      {checked === true && <span aria-hidden="true">✓</span>}
    </button>
  );
}

function placeMenu(button: HTMLElement, list: HTMLElement) {
  const at = button.getBoundingClientRect();
  const size = list.getBoundingClientRect();
  const left = at.left + size.width + 8 > window.innerWidth ? at.right - size.width : at.left;
  const below = at.bottom + 4 + size.height < window.innerHeight || at.top < size.height;
  list.style.inset = 'auto';
  list.style.left = `${Math.max(8, left)}px`;
  list.style.top = `${below ? at.bottom + 4 : at.top - 4 - size.height}px`;
}
