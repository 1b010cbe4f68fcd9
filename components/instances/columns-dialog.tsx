'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { columnLabels } from './instance-columns';
import { DEFAULT_LAYOUT, mayHide, moved, type TableLayout, withShown } from './table-layout';

export interface ColumnsProps {
  readonly layout: TableLayout;
  readonly onChange: (layout: TableLayout) => void;
}

/** Which columns are shown, and in which order. Widths are set in the table itself. */
export function ColumnsDialog({
  layout,
  onChange,
  open,
  onClose,
}: ColumnsProps & { open: boolean; onClose: () => void }) {
  const last = layout.columns.length - 1;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Columns"
      footer={
        <>
          <Button onClick={() => onChange(DEFAULT_LAYOUT)}>Reset</Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <p className="mb-3 text-ink-2">Saved in this browser. Change the width of a column at the edge of its head.</p>
      <ul>
        {layout.columns.map(({ column, isShown }, at) => (
          <li key={column} className="flex min-h-10 items-center gap-2 border-b last:border-b-0">
            <label className="flex min-h-8 flex-1 items-center gap-2.5">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={isShown}
                disabled={!mayHide(column)}
                onChange={(event) => onChange(withShown(layout, column, event.target.checked))}
              />
              {columnLabels[column]}
              {!mayHide(column) && <span className="text-ink-3 text-xs">always shown</span>}
            </label>
            {column !== 'status' && (
              <>
                <Button
                  size="small"
                  variant="quiet"
                  iconOnly
                  icon={<ArrowUp size={14} aria-hidden="true" />}
                  disabledReason={at <= 1 ? 'This column is the first after the status.' : undefined}
                  onClick={() => onChange(moved(layout, column, -1))}
                >
                  {`Move ${columnLabels[column]} to the front`}
                </Button>
                <Button
                  size="small"
                  variant="quiet"
                  iconOnly
                  icon={<ArrowDown size={14} aria-hidden="true" />}
                  disabledReason={at === last ? 'This column is the last.' : undefined}
                  onClick={() => onChange(moved(layout, column, 1))}
                >
                  {`Move ${columnLabels[column]} to the end`}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
