import type { KeyboardEvent } from 'react';
import type { RowSelection, SelectableRow } from './row-selection';

/**
 * The keys of a table whose rows can be selected. Space toggles the row that has the focus, with Shift it selects up to it; the arrows move from row to
 * row, with Shift they extend; Ctrl or ⌘ with A selects all that is shown; Escape clears. Rows carry `data-row`, the uid of their object, and
 * `aria-rowindex`.
 */
export function selectionKeys<R extends SelectableRow>(selection: RowSelection<R>, shown: readonly R[]) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    if (event.altKey || target.closest('dialog, [role=menu]') !== null) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'a') return;
      event.preventDefault();
      selection.add(shown);
      return;
    }
    const step = STEPS.get(event.key);
    if (step !== undefined) move(event, selection, shown, step);
    else if (event.key === 'Escape') selection.clear();
    else if (event.key === ' ' && isOurSpace(target, event.shiftKey)) toggleRow(event, selection, shown);
  };
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

/** Buttons press themselves, and a box toggles itself; with Shift, the range is ours. */
function isOurSpace(target: HTMLElement, shiftKey: boolean): boolean {
  if (target instanceof HTMLButtonElement) return false;
  return !(target instanceof HTMLInputElement) || shiftKey;
}

function toggleRow<R extends SelectableRow>(
  event: KeyboardEvent,
  selection: RowSelection<R>,
  shown: readonly R[],
): void {
  const row = shown[rowAt(event.target)];
  if (row === undefined) return;
  event.preventDefault();
  if (event.shiftKey) selection.extend(shown, row);
  else selection.toggle(row);
}

function move<R extends SelectableRow>(
  event: KeyboardEvent<HTMLElement>,
  selection: RowSelection<R>,
  shown: readonly R[],
  step: number,
): void {
  const at = rowAt(event.target);
  const isHead = (event.target as HTMLElement).matches('[data-select-all]');
  const next = shown[isHead ? Math.max(0, step - 1) : at + step];
  if ((at < 0 && !isHead) || next === undefined) return;
  const box = event.currentTarget.querySelector<HTMLElement>(
    `[data-row="${CSS.escape(next.uid)}"] > .select-cell input`,
  );
  if (box === null) return;
  event.preventDefault();
  if (event.shiftKey) {
    const from = shown[at];
    // The range begins at the row where the keys begin.
    if (from !== undefined && !selection.has(from.uid)) selection.toggle(from);
    selection.extend(shown, next);
  }
  box.focus();
}

/** The place of the row that an element is in; -1 outside of rows. */
function rowAt(target: EventTarget): number {
  const row = target instanceof Element ? target.closest('tr[data-row]') : null;
  return row === null ? -1 : Number(row.getAttribute('aria-rowindex')) - 2;
}
