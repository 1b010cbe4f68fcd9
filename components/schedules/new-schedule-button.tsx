'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { useNamespaceScope } from '@/components/shell/preferences';
import { Button, type ButtonLook } from '@/components/ui/button';
import { toSchedule } from '@/lib/kudo/view/action-rights';
import { LazyScheduleDialog } from './lazy-schedule-dialog';

interface NewScheduleButtonProps extends ButtonLook {
  /** The Instance that it is for; without it the person chooses one. */
  of?: { readonly namespace: string; readonly instance: string };
}

/** Opens the form of a new schedule. */
export function NewScheduleButton({ of, ...look }: NewScheduleButtonProps) {
  const scope = useNamespaceScope();
  const namespace = of?.namespace ?? scope;
  const [open, setOpen] = useState(false);
  return (
    <>
      {namespace === undefined ? (
        // In which namespace is not known yet: the form asks for the right when it is.
        <Button {...look} onClick={() => setOpen(true)}>
          New schedule
        </Button>
      ) : (
        <AllowedButton {...look} namespace={namespace} onClick={() => setOpen(true)} />
      )}
      <LazyScheduleDialog
        open={open}
        onClose={() => setOpen(false)}
        namespace={of?.namespace ?? ''}
        instance={of?.instance ?? ''}
      />
    </>
  );
}

function AllowedButton({ namespace, ...look }: ButtonLook & { namespace: string; onClick: () => void }) {
  const { block } = useAccess(toSchedule('create', namespace));
  return (
    <Button {...look} disabledReason={block}>
      New schedule
    </Button>
  );
}
