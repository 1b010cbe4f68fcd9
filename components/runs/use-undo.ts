'use client';

import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lockKey, lockWish, setLockBreak, useLockBreak } from '@/components/access/instance-lock';
import { type StartToApprove, useSecondPerson } from '@/components/access/use-approvals';
import { noteMyRun } from '@/components/instance-view/my-runs';
import { request } from '@/components/live/request';
import { useObject } from '@/components/live/use-topic';
import { useRouter } from '@/components/ui/navigation';
import { showToast } from '@/components/ui/toast';
import type { OperatorVersion } from '@/lib/kudo/types';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { UndoPreview } from '@/lib/kudo/view/undo-preview';
import { topics } from '@/lib/live/topic';

/** What a person says with an undo. */
export interface UndoWish {
  readonly reason: string;
  /** The token of the preview that the person saw. */
  readonly preview: string;
  /** The confirmation of a destructive plan: `PLAN/INSTANCE`. */
  readonly confirm?: string;
  /** The approval of a second person. */
  readonly approval?: string;
}

function undoPath({ namespace, name }: RunRow): string {
  return `/api/runs/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/undo`;
}

/** What undoing the run would do, asked again when the Instance, its lock or the approval changes; and the second person that the plan needs. */
export function useUndoPreview(row: RunRow, instance: InstanceRow) {
  const [approval, setApproval] = useState('');
  const query = useQuery(undoPreviewOf(row, instance, [useLockBreak(instance.instance) ?? '', approval]));
  const start = useUndoStart(instance, query.data);
  const second = useSecondPerson(instance, start);
  // Which plan may need an approval only the preview tells, and it depends on the approval.
  const { approval: found = '' } = second.wish;
  if (found !== approval) setApproval(found);
  return { query, start, second };
}

function undoPreviewOf(row: RunRow, { instance }: InstanceRow, [breakLock, approval]: readonly [string, string]) {
  return queryOptions<UndoPreview>({
    queryKey: ['undo-preview', row.key, instance.spec, lockKey(instance), breakLock, approval],
    queryFn: ({ signal }) =>
      request<UndoPreview>(`${undoPath(row)}?dryRun=true`, { method: 'POST', body: { breakLock, approval }, signal }),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
}

/** The start that the undo comes to. */
function useUndoStart({ namespace }: InstanceRow, preview: UndoPreview | undefined): StartToApprove {
  const { plan, changes = [], version } = preview ?? {};
  const topic = version === undefined ? undefined : topics.operatorVersions;
  const { object } = useObject(topic, namespace, version?.to ?? '');
  return {
    plan,
    parameters: Object.fromEntries(changes.map(({ name, after }) => [name, after ?? null])),
    ...(object === undefined ? {} : { version: object as OperatorVersion }),
  };
}

/** Undoes the run, reports the result in a toast, and goes to the plans of the Instance. */
export function useUndo(row: RunRow, { key, instance }: InstanceRow) {
  const router = useRouter();
  const plans = instancePath(row.namespace, row.instance, 'plans');
  return useMutation({
    mutationFn: (wish: UndoWish) =>
      request<{ plan?: string }>(undoPath(row), { method: 'POST', body: { ...wish, ...lockWish(instance) } }),
    onMutate: () => instance,
    onSuccess: ({ plan = '' }, _wish, before) => {
      noteMyRun(key, plan, before);
      setLockBreak(instance, undefined);
      showToast({ tone: 'ok', title: `Run ${row.name} is undone: plan ${plan} started` });
      router.push(plans);
    },
    onError: (error) => showToast({ tone: 'fail', title: `Run ${row.name} was not undone`, detail: error.message }),
  });
}
