'use client';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { cancelledCleanupWarning } from '@/lib/kudo/plan/held-deletion';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { cancelFacts, type TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { CopySteering } from './copy-steering';

const MOST_NAMES = 5;

/** Asks before a run is cancelled, and says what is half done then, and what stays. */
export function CancelDialog({
  row,
  lines,
  open,
  onClose,
  onCancel,
}: {
  row: RunRow;
  lines: readonly TreeLine[];
  open: boolean;
  onClose: () => void;
  onCancel: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={`Cancel run ${row.name}?`}>
      <div className="grid gap-4">
        <p>The task that runs now comes to its end, and no other one begins. A cancelled run cannot go on.</p>
        <Consequences lines={lines} />
        {row.plan === CLEANUP_PLAN && (
          <p>{cancelledCleanupWarning({ metadata: { name: row.instance, namespace: row.namespace } })}</p>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span className="me-auto">
            <CopySteering row={row} wish={{ do: 'cancel' }} />
          </span>
          <Button onClick={onClose}>Keep it running</Button>
          <Button variant="destroy" onClick={onCancel}>
            Cancel run
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Consequences({ lines }: { lines: readonly TreeLine[] }) {
  const { halfDone, done, notBegun } = cancelFacts(lines);
  const more = halfDone.length - MOST_NAMES;
  return (
    <ul className="grid list-disc gap-1 ps-5 text-ink-2">
      <li>
        {halfDone.length === 0 ? (
          'No step is half done.'
        ) : (
          <>
            Half done: <b className="font-medium text-ink">{halfDone.slice(0, MOST_NAMES).join(', ')}</b>
            {more > 0 && ` and ${more} more`}.
          </>
        )}
      </li>
      <li>{countText(done, 'stays as it is', 'stay as they are', 'is done')}</li>
      <li>{countText(notBegun, 'does not begin', 'do not begin', 'is left')}</li>
      <li>Objects that were applied stay. Nothing is undone.</li>
    </ul>
  );
}

/** `3 steps do not begin.`, `No step is left.` */
function countText(count: number, one: string, many: string, none: string): string {
  if (count === 0) return `No step ${none}.`;
  return count === 1 ? `1 step ${one}.` : `${count} steps ${many}.`;
}
