import { useQuery } from '@tanstack/react-query';
import { lockKey, useLockBreak } from '@/components/access/instance-lock';
import type { ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { requestPreview } from './use-guarded-apply';

/** What an edit would do, asked again when it, the Instance, its lock or the approval changes. */
export function useEditPreview(
  row: InstanceRow,
  edit: ParameterEdit,
  { approval, isAsked }: { readonly approval: string | undefined; readonly isAsked: boolean },
) {
  const gates = [lockKey(row.instance), useLockBreak(row.instance), approval];
  return useQuery({
    enabled: isAsked,
    queryKey: ['edit-preview', row.key, row.instance.spec?.parameters, edit.parameters, gates],
    queryFn: ({ signal }) =>
      requestPreview(row, { ...edit, wishes: approval === undefined ? {} : { approval } }, signal),
    gcTime: 0,
  });
}
