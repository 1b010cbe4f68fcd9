'use client';

import type { RowSelection, SelectableRow } from './row-selection';
import { useHeadState } from './use-selection';

/** The width of the column of boxes in a table of fixed widths. */
export const SELECT_COLUMN = 'w-10 max-sm:w-9';

/** The cell at the beginning of a row with the box that selects it. It is as small as it can be, since long lists draw many of them while they are scrolled. */
export function SelectCell<R extends SelectableRow>({
  selection,
  isSelected,
  row,
  name,
  shown,
}: {
  selection: RowSelection<R>;
  isSelected: boolean;
  row: R;
  name: string;
  /** Called when a range is to be selected: the rows in the order in which they are shown. */
  shown: () => readonly R[];
}) {
  return (
    <td className="select-cell">
      <label>
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
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
    <td className="select-cell">
      <label>
        <input
          type="checkbox"
          aria-label={`Select all ${shown.length} shown rows`}
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
