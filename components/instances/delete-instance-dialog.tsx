'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { showToast } from '@/components/ui/toast';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { ownerLinkOf } from '@/lib/kudo/own-kinds/names';
import type { DeletionPreview } from '@/lib/kudo/view/deletion-preview';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { DeletionDetails } from './deletion-details';

interface DeleteInstanceDialogProps {
  row: InstanceRow;
  open: boolean;
  onClose: () => void;
}

/** Shows what a deletion deletes and what stays, and asks for the name of the Instance. */
export function DeleteInstanceDialog({ row, open, onClose }: DeleteInstanceDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Delete ${row.name}?`}>
      <DeleteBody row={row} onClose={onClose} />
    </Dialog>
  );
}

function DeleteBody({ row, onClose }: Omit<DeleteInstanceDialogProps, 'open'>) {
  const guard = useDestroyGuard(row.name);
  const preview = useQuery({
    queryKey: ['deletion', row.key],
    queryFn: ({ signal }) => request<DeletionPreview>(instanceApiPath(row.namespace, row.name, 'deletion'), { signal }),
    staleTime: 0,
  });
  const remove = useMutation({
    mutationFn: (uid: string) => request(instanceApiPath(row.namespace, row.name), { method: 'DELETE', body: { uid } }),
    onSuccess: () => {
      const detail = preview.data?.cleanup === undefined ? undefined : 'This page shows its cleanup plan.';
      showToast({ tone: 'run', title: `Deleting ${row.name}`, ...(detail === undefined ? {} : { detail }) });
      onClose();
    },
  });
  const uid = preview.data?.uid;
  const owner = ownerLinkOf(row.instance);
  const block = guard.block ?? (uid === undefined ? 'The preview is not available yet.' : undefined);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block === undefined && uid !== undefined) remove.mutate(uid);
      }}
    >
      {owner !== undefined && (
        <Notice tone="wait" title={`The instance belongs to ${owner.kind} ${owner.name}`}>
          Another instance is created after it, without its data. To delete both, delete {owner.kind} {owner.name}.
        </Notice>
      )}
      {preview.isPending && <SkeletonRows rows={3} />}
      {preview.isError && (
        <Notice tone="fail" alert title="The preview is not available">
          {preview.error.message}
        </Notice>
      )}
      {preview.data !== undefined && <DeletionDetails preview={preview.data} namespace={row.namespace} />}
      <TypedName name={row.name} guard={guard} />
      {remove.isError && (
        <Notice tone="fail" alert title={`Instance ${row.name} was not deleted`}>
          {remove.error.message}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="destroy"
          busy={remove.isPending}
          data-plan={preview.data?.cleanup === undefined ? undefined : 'cleanup'}
          disabledReason={block}
        >
          Delete {row.name}
        </Button>
      </div>
    </form>
  );
}
