'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useDestroyPause } from '@/components/ui/use-destroy-guard';
import type { LeftoverObject } from '@/lib/kudo/drift/report';
import { useDriftAction } from './use-drift-action';

interface PruneDialogProps {
  leftovers: readonly LeftoverObject[];
  open: boolean;
  onClose: () => void;
}

/** Lists every leftover with a checkbox. Volumes and cluster-scoped objects are not selected at first. */
export function PruneDialog({ leftovers, open, onClose }: PruneDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Remove leftover objects?">
      <PruneForm leftovers={leftovers} onClose={onClose} />
    </Dialog>
  );
}

function PruneForm({ leftovers, onClose }: Omit<PruneDialogProps, 'open'>) {
  const [ticked, setTicked] = useState(() => new Set(leftovers.filter(isOrdinary).map(({ uid }) => uid)));
  const prune = useDriftAction('prune', { done: 'Removed', failed: 'was not removed', failedAll: 'were not removed' });
  const pause = useDestroyPause();
  const chosen = leftovers.filter(({ uid }) => ticked.has(uid));
  const block = chosen.length === 0 ? 'Select at least one object.' : pause;
  const toggle = (uid: string) =>
    setTicked((before) => {
      const next = new Set(before);
      if (!next.delete(uid)) next.add(uid);
      return next;
    });
  const ordinary = leftovers.filter(isOrdinary);
  const shared = leftovers.filter(({ isClaim, isShared }) => isShared && !isClaim);
  const claims = leftovers.filter(({ isClaim }) => isClaim);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block !== undefined) return;
        const body = {
          uids: chosen.map(({ uid }) => uid),
          claims: chosen.some(({ isClaim }) => isClaim),
          shared: chosen.some(({ isShared }) => isShared),
        };
        prune.mutate(body, { onSuccess: onClose });
      }}
    >
      {ordinary.length > 0 && (
        <Ticks legend="No template renders these objects" objects={ordinary} ticked={ticked} toggle={toggle} />
      )}
      {shared.length > 0 && (
        <Ticks
          legend="Cluster-scoped; others in the cluster may use them"
          objects={shared}
          ticked={ticked}
          toggle={toggle}
        />
      )}
      {claims.length > 0 && (
        <Ticks
          legend="Deleted together with the data that they hold"
          objects={claims}
          ticked={ticked}
          toggle={toggle}
        />
      )}
      <p className="text-ink-2">This cannot be undone.</p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="destroy" busy={prune.isPending} disabledReason={block}>
          Remove {chosen.length} {chosen.length === 1 ? 'object' : 'objects'}
        </Button>
      </div>
    </form>
  );
}

function isOrdinary({ isClaim, isShared }: LeftoverObject): boolean {
  return !isClaim && !isShared;
}

interface TicksProps {
  legend: string;
  objects: readonly LeftoverObject[];
  ticked: ReadonlySet<string>;
  toggle: (uid: string) => void;
}

function Ticks({ legend, objects, ticked, toggle }: TicksProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{legend}</legend>
      {objects.map(({ uid, kind, name }) => (
        <label key={uid} className="flex min-h-7 items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={ticked.has(uid)}
            onChange={() => toggle(uid)}
          />
          <code className="min-w-0 break-words">
            {kind} {name}
          </code>
        </label>
      ))}
    </fieldset>
  );
}
