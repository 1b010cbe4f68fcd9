'use client';

import { useMutation } from '@tanstack/react-query';
import { lockWish } from '@/components/access/instance-lock';
import { request } from '@/components/live/request';
import { needsApproval } from '@/lib/kudo/approvals/plan-approval';
import type { EditPreview, ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { ApplyEdit } from './use-apply-edit';

/** Asks what an edit does, without writing anything. */
export function requestPreview(
  { namespace, name, instance }: Pick<InstanceRow, 'namespace' | 'name' | 'instance'>,
  { wishes, ...edit }: ParameterEdit,
  signal?: AbortSignal,
): Promise<EditPreview> {
  const path = `${instanceApiPath(namespace, name, 'parameters')}?dryRun=true`;
  return request<EditPreview>(path, {
    method: 'POST',
    body: { ...edit, ...wishes, ...lockWish(instance) },
    ...(signal === undefined ? {} : { signal }),
  });
}

/**
 * Applies an edit without a review, unless it deletes volumes, or starts a plan that is destructive or needs a second person: then the review opens,
 * which names them, and asks for the confirmation or the approval.
 */
export function useGuardedApply(row: InstanceRow, apply: ApplyEdit, onReview: () => void) {
  const check = useMutation({
    mutationFn: (edit: ParameterEdit) => requestPreview(row, edit),
    // An edit that cannot be previewed is refused with its reason when it is applied.
    onSettled: (preview, _error, edit) => {
      if (preview !== undefined && needsReview(row, preview)) onReview();
      else apply.run(edit);
    },
  });
  return { isPending: check.isPending || apply.isPending, run: (edit: ParameterEdit) => check.mutate(edit) };
}

function needsReview({ instance, operatorVersionObject: operatorVersion }: InstanceRow, preview: EditPreview): boolean {
  const { plan = '', confirmation, volumes } = preview;
  const isGuarded = confirmation !== undefined || needsApproval({ plan, instance, operatorVersion });
  return isGuarded || volumes.some(({ goes }) => goes);
}
