'use client';

import { Ban, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { laterDialog } from '@/components/ui/later-dialog';
import { loadPart } from '@/components/ui/load-part';
import { toSteer } from '@/lib/kudo/view/action-rights';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { CopySteering } from './copy-steering';
import { RetryButton } from './retry-button';
import { cancelBlock } from './steering-rights';
import { StopAfterButton } from './stop-after-button';
import { UndoButton } from './undo-button';
import { useSteer } from './use-steer';

interface RunActionsProps {
  row: RunRow;
  /** Its phases and steps. */
  lines: readonly TreeLine[];
}

const CancelDialog = laterDialog(() => loadPart(() => import('./cancel-dialog')).then((module) => module.CancelDialog));

/** What can be done with a run: held, let go on, stopped or ended while it runs; then repeated when it failed, undone when it changed something. */
export function RunActions(props: RunActionsProps) {
  if (!props.row.isOver) return <SteerButtons {...props} />;
  return (
    <>
      <UndoButton row={props.row} />
      <RetryButton row={props.row} />
    </>
  );
}

function isHeld({ run, status }: RunRow): boolean {
  return run.spec?.paused === true || status === 'paused';
}

/** Pause or resume, also as a command, stop after a phase, cancel. For a run that is not over. */
export function SteerButtons({ row, lines }: RunActionsProps) {
  const steer = useSteer(row);
  const access = useAccess(toSteer(row.namespace));
  const [asks, setAsks] = useState(false);
  const block = access.block ?? cancelBlock(row);
  const held = isHeld(row);
  const Icon = held ? Play : Pause;
  return (
    <>
      <Button
        size="small"
        icon={<Icon size={14} aria-hidden="true" />}
        disabledReason={block}
        busy={steer.isPending}
        onClick={() => steer.mutate({ do: held ? 'resume' : 'pause' })}
      >
        {held ? 'Resume' : 'Pause'}
      </Button>
      <StopAfterButton
        row={row}
        lines={lines}
        block={block}
        onChoose={(phase) => steer.mutate({ do: 'stop-after', phase })}
      />
      <Button
        size="small"
        variant="danger"
        icon={<Ban size={14} aria-hidden="true" />}
        disabledReason={block}
        onClick={() => setAsks(true)}
      >
        Cancel run
      </Button>
      <CancelDialog
        row={row}
        lines={lines}
        open={asks}
        onClose={() => setAsks(false)}
        onCancel={() => {
          setAsks(false);
          steer.mutate({ do: 'cancel' });
        }}
      />
      <CopySteering row={row} wish={{ do: held ? 'resume' : 'pause' }} />
    </>
  );
}
