'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { Consequences, type DeleteConsequences } from '../delete-consequences';
import { objectPath } from '../object-address';
import { BulkForm, TargetList } from './bulk-form';
import { BulkOwnersNotice } from './bulk-owners';
import {
  type BulkAct,
  type BulkDialogProps,
  type BulkTargets,
  confirmationOf,
  countedTargets,
  targetName,
} from './bulk-target';
import { type ManyConsequences, readManyConsequences } from './delete-consequences-of-many';
import { type BulkProgress, useBulkRun } from './use-bulk-run';

/** Says what goes with many objects, asks for their number, and deletes them one by one. */
export function DeleteManyDialog({ targets, onClose }: BulkDialogProps) {
  const progress = useBulkRun(targets);
  const close = () =>
    onClose(progress.outcomes.filter(({ result }) => result === 'done').map(({ target }) => target.uid));
  return (
    <Dialog open onClose={close} title={`Delete ${countedTargets(targets)}?`}>
      <DeleteManyForm targets={targets} progress={progress} onClose={close} />
    </Dialog>
  );
}

interface DeleteManyFormProps {
  readonly targets: BulkTargets;
  readonly progress: BulkProgress;
  readonly onClose: () => void;
}

function DeleteManyForm({ targets, progress, onClose }: DeleteManyFormProps) {
  const guard = useDestroyGuard(confirmationOf(targets));
  const found = useQuery({
    queryKey: ['delete-many', targets.map(({ uid }) => uid)],
    staleTime: 0,
    queryFn: ({ signal }) => readManyConsequences(targets, signal),
  });
  const consequences = shownConsequences(found.data, found.isPending);
  return (
    <BulkForm
      targets={targets}
      progress={progress}
      label={`Delete ${countedTargets(targets)}`}
      variant="destroy"
      block={guard.block ?? consequences.wait}
      act={deleteOne}
      onClose={onClose}
    >
      <TargetList names={targets.map(targetName)} />
      <Consequences consequences={consequences} />
      {found.data !== undefined && found.data.notes.length > 0 && (
        <ul className="max-h-32 list-disc overflow-y-auto ps-5 text-ink-2">
          {found.data.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <BulkOwnersNotice targets={targets} effect="create the objects again" />
      <TypedName name={confirmationOf(targets)} guard={guard} />
      {targets.length > 1 && (
        <Notice tone="hold" title="Each object is deleted for itself">
          An object of the same name that was created meanwhile is not deleted.
        </Notice>
      )}
    </BulkForm>
  );
}

function shownConsequences(known: ManyConsequences | undefined, isPending: boolean): DeleteConsequences {
  if (isPending) return { wait: 'Finding out what else is deleted.', sentence: undefined, isGrave: false, objects: [] };
  if (known !== undefined) return { wait: undefined, ...known };
  const sentence = 'Dependent objects could not be read. More than these objects may be deleted.';
  return { wait: undefined, sentence, isGrave: true, objects: [] };
}

const deleteOne: BulkAct = async (target) => {
  await request(objectPath(target), {
    method: 'DELETE',
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions: { uid: target.uid },
    },
  });
  return undefined;
};
