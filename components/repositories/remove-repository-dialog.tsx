'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import type { RepositoryInfo } from '@/lib/kudo/repository/repository-info';
import { REPOSITORIES_KEY } from './use-repositories';

/** Asks before a repository is taken out of the console. */
export function RemoveRepositoryDialog({
  repository,
  onClose,
}: {
  repository: RepositoryInfo | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={repository !== undefined}
      onClose={onClose}
      title={`Remove ${repository?.name ?? 'the repository'} from the console?`}
    >
      {repository !== undefined && <RemoveForm repository={repository} onClose={onClose} />}
    </Dialog>
  );
}

function RemoveForm({
  repository: { name, url, hasCredentials },
  onClose,
}: {
  repository: RepositoryInfo;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const remove = useMutation<unknown, RequestError>({
    mutationFn: () => request(`/api/repositories/${name}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: REPOSITORIES_KEY, exact: true });
      showToast({ tone: 'ok', title: `${name} was removed from the console` });
      onClose();
    },
  });
  return (
    <div className="grid gap-4">
      <p className="break-words">
        The console forgets {url}
        {hasCredentials && ' and the Secret with its credentials'}. Nothing in the repository changes, and packages that
        came from it stay in the catalogue and in the cluster.
      </p>
      {remove.error !== null && (
        <Notice tone="fail" alert title={`${name} was not removed`}>
          {remove.error.message}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button data-first-focus="" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="destroy" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove repository
        </Button>
      </div>
    </div>
  );
}
