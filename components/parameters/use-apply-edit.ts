'use client';

import { useMutation } from '@tanstack/react-query';
import { lockWish, setLockBreak } from '@/components/access/instance-lock';
import { noteAccepted } from '@/components/instance-view/accepted-edit';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { noteMyRun } from '@/components/instance-view/my-runs';
import { RequestError, request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import type { ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';
import { instanceApiPath, instancePath } from '@/lib/kudo/view/instance-path';

export interface ApplyEdit {
  readonly isPending: boolean;
  /** Why the edit was refused, when the reason belongs to no field. */
  readonly refusal: string | undefined;
  /** Refusals by parameter name. */
  readonly fieldProblems: ReadonlyMap<string, string>;
  run(edit: ParameterEdit): void;
  reset(): void;
}

/** Sends an edit. Refusals of fields are shown at the fields; a toast links to the plan that starts. */
export function useApplyEdit(onDone: () => void): ApplyEdit {
  const { namespace, name, row } = useInstanceView();
  const mutation = useMutation({
    mutationFn: ({ wishes, ...edit }: ParameterEdit) =>
      request<{ plan?: string }>(instanceApiPath(namespace, name, 'parameters'), {
        method: 'POST',
        body: { ...edit, ...wishes, ...lockWish(row?.instance) },
      }),
    onMutate: () => row?.instance,
    onSuccess: ({ plan }, _edit, before) => {
      if (plan !== undefined) noteMyRun(`${namespace}/${name}`, plan, before);
      if (plan !== undefined && row !== undefined) {
        if (before !== undefined) noteAccepted(before, plan);
        setLockBreak(row.instance, undefined);
      }
      onDone();
      showToast({
        tone: 'ok',
        title: plan === undefined ? 'Parameters stored' : `Parameters stored; plan ${plan} starts`,
        link:
          plan === undefined ? undefined : { label: 'Follow the plan', href: instancePath(namespace, name, 'plans') },
      });
    },
  });
  const { error } = mutation;
  const causes = error instanceof RequestError ? error.causes : [];
  return {
    isPending: mutation.isPending,
    refusal: error === null || causes.length > 0 ? undefined : error.message,
    fieldProblems: new Map(causes.map(({ field, message }) => [field, message])),
    run: (edit) => mutation.mutate(edit),
    reset: () => mutation.reset(),
  };
}
