'use client';

import { classNames } from '../class-names';
import type { RowSelection, SelectableRow } from './row-selection';
import { useHeadState, useIsSelected } from './use-selection';

const BOX = 'size-4 accent-accent';
const CELL = 'w-9 !pe-0 max-sm:w-8 max-sm:!ps-3';

/** The width of the column of boxes in a table of fixed widths. */
export const SELECT_COLUMN = 'w-10 max-sm:w-9';

/** The cell at the beginning of a row with the box that selects it. */
export function SelectCell<R extends SelectableRow>({
  selection,
  row,
  name,
  shown,
}: {
  selection: RowSelection<R>;
  row: R;
  name: string;
  /** Called when a range is to be selected: the rows in the order in which they are shown. */
  shown: () => readonly R[];
}) {
  const isSelected = useIsSelected(selection, row.uid);
  return (
    <td className={CELL}>
      <label className="-m-1.5 grid size-7 place-items-center">
        <span className="sr-only">Select {name}</span>
        <input
          type="checkbox"
          className={classNames(BOX, 'scroll-my-28')}
          data-select={row.uid}
          checked={isSelected}
          disabled={row.uid === ''}
          onChange={(event) => {
            const { nativeEvent } = event;
            const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
            if (isRange) selection.extend(shown(), row);
            else selection.toggle(row);
          }}
        />
      </label>
    </td>
  );
}

/** The cell in the head of the table with the box that selects all rows that are shown. */
export function SelectHead<R extends SelectableRow>({
  selection,
  shown,
}: {
  selection: RowSelection<R>;
  shown: readonly R[];
}) {
  const state = useHeadState(selection, shown);
  return (
    <td className={classNames(CELL, 'select-head')}>
      <label className="-m-1.5 grid size-7 place-items-center">
        <span className="sr-only">Select all {shown.length} shown rows</span>
        <input
          type="checkbox"
          className={BOX}
          data-select-all=""
          ref={(box) => {
            if (box !== null) box.indeterminate = state === 'some';
          }}
          checked={state === 'all'}
          onChange={() => (state === 'all' ? selection.clear() : selection.add(shown))}
        />
      </label>
    </td>
  );
}
