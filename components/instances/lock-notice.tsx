'use client';

import { useState } from 'react';
import { setLockBreak, useInstanceLock, useLockBreak } from '@/components/access/instance-lock';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { laterDialog } from '@/components/ui/later-dialog';
import { loadPart } from '@/components/ui/load-part';
import { Notice } from '@/components/ui/notice';
import { TimeAgo } from '@/components/ui/time-ago';
import { useExactTime } from '@/components/ui/use-time-zone';
import { formatTime } from '@/lib/clock/clock';
import { lockEndMs } from '@/lib/kudo/lock/instance-lock';
import { toChange } from '@/lib/kudo/view/action-rights';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { useSetLock } from './use-set-lock';

const BreakLockDialog = laterDialog(() =>
  loadPart(() => import('./lock-dialogs')).then((module) => module.BreakLockDialog),
);

/** Says above the pages of an Instance who locked it, until when and why, with the ways out; nothing when it is not locked. */
export function LockNotice({ row }: { row: InstanceRow }) {
  const exact = useExactTime();
  const lock = useInstanceLock(row.instance);
  const broken = useLockBreak(row.instance);
  const [asks, setAsks] = useState(false);
  const unlock = useSetLock(row, () => undefined);
  const { block } = useAccess(toChange(row.namespace));
  if (lock === undefined) return null;
  const { by, reason, since } = lock;
  return (
    <Notice
      tone="hold"
      className="mb-4"
      title={`Locked${by === undefined ? '' : ` by ${by}`} until ${exact(formatTime(lockEndMs(lock)))}: ${reason}`}
      action={
        <span className="flex flex-wrap gap-2">
          {broken === undefined ? (
            <Button size="small" disabledReason={block} onClick={() => setAsks(true)}>
              Break the lock…
            </Button>
          ) : (
            <Button size="small" onClick={() => setLockBreak(row.instance, undefined)}>
              Keep the lock
            </Button>
          )}
          <Button size="small" disabledReason={block} busy={unlock.isPending} onClick={() => unlock.mutate(undefined)}>
            Unlock
          </Button>
        </span>
      }
    >
      {broken === undefined ? (
        <>
          No plan starts.
          {since !== undefined && (
            <>
              {' '}
              Locked <TimeAgo at={since} />.
            </>
          )}
        </>
      ) : (
        <>The next plan that you start breaks the lock: {broken}</>
      )}
      <BreakLockDialog row={row} open={asks} onClose={() => setAsks(false)} />
    </Notice>
  );
}
