'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import type { RepositoryDraft, RepositoryTrial } from '@/lib/kudo/repository/repository-info';
import { REPOSITORIES_KEY } from './use-repositories';

/** Tests a repository, and saves it. `answer` has the checks of the last test. */
export function useSaveRepository(draft: RepositoryDraft, isNew: boolean, onSaved: () => void) {
  const client = useQueryClient();
  const test = useMutation<RepositoryTrial, RequestError>({
    mutationFn: () => request<RepositoryTrial>('/api/repositories/test', { method: 'POST', body: draft }),
    onMutate: () => save.reset(),
  });
  const save = useMutation<RepositoryTrial, RequestError>({
    mutationFn: () =>
      isNew
        ? request<RepositoryTrial>('/api/repositories', { method: 'POST', body: draft })
        : request<RepositoryTrial>(`/api/repositories/${draft.name}`, { method: 'PUT', body: draft }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: REPOSITORIES_KEY });
      showToast({ tone: 'ok', title: `${draft.name} was ${isNew ? 'added to the console' : 'changed'}` });
      onSaved();
    },
    // The repository does not answer as it did when it was tested: the checks say what is different.
    onError: ({ status, causes }) => {
      if (status === 422 && causes.length === 0) test.mutate();
    },
  });
  const reset = () => {
    test.reset();
    save.reset();
  };
  return { test, save, answer: test.data, reset };
}
