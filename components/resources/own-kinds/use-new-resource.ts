'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { RequestError, request } from '@/components/live/request';
import { useRouter } from '@/components/ui/navigation';
import { showToast } from '@/components/ui/toast';
import { useSettled } from '@/components/ui/use-settled';
import { messageOf } from '@/lib/errors/errors';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { ResourcePreview } from '@/lib/kudo/own-kinds/resource-preview';
import { kubePath, objectHref } from '../resource-path';
import type { SaveProblem } from '../use-object-draft';

/** After the last key. */
const ASK_AFTER_MS = 400;

/** What the creation of an object would do, asked when it has not been edited for a moment; undefined while that is not known. */
export function useResourcePreview(type: GroupVersionResource, object: KubeObject, isComplete: boolean) {
  const text = JSON.stringify(object);
  const settled = useSettled(text, ASK_AFTER_MS);
  const query = useQuery({
    enabled: isComplete && settled !== undefined,
    queryKey: ['resource-preview', type.resource, text],
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) =>
      request<ResourcePreview>('/api/resources/preview', {
        method: 'POST',
        body: { resource: type.resource, namespace: namespaceOf(object), object },
        signal,
      }),
  });
  return { preview: isComplete ? query.data : undefined, error: query.error };
}

/** Creates the object with the rights of the person, and leads to its page. */
export function useCreateResource(type: GroupVersionResource) {
  const router = useRouter();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (object: KubeObject) => {
      const path = kubePath({ ...type, namespace: namespaceOf(object) });
      const query = new URLSearchParams({ fieldManager: 'bravo-console', fieldValidation: 'Strict' });
      return request<KubeObject>(`${path}?${query}`, { method: 'POST', body: object });
    },
    onSuccess: (made) => {
      showToast({ tone: 'ok', title: `${made.kind} ${nameOf(made)} was created` });
      router.push(objectHref(type, namespaceOf(made), nameOf(made)));
    },
  });
  const problem: SaveProblem | undefined =
    error === null
      ? undefined
      : { message: messageOf(error), causes: error instanceof RequestError ? error.causes : [] };
  return { create: mutate, isBusy: isPending, problem, forget: reset };
}
