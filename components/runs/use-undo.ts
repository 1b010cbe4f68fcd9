'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { UndoPreview } from '@/lib/kudo/view/undo-preview';

/** What a person says with an undo. */
export interface UndoWish {
  readonly reason: string;
  /** The token of the preview that the person saw. */
  readonly preview: string;
  /** The confirmation of a destructive plan: `PLAN/INSTANCE`. */
  readonly confirm?: string;
}

function undoPath({ namespace, name }: RunRow): string {
  return `/api/runs/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/undo`;
}

/** What undoing the run would do, asked again when the Instance changes. */
export function useUndoPreview(row: RunRow, instance: InstanceRow) {
  return useQuery({
    queryKey: ['undo-preview', row.key, instance.instance.spec],
    queryFn: ({ signal }) => request<UndoPreview>(`${undoPath(row)}?dryRun=true`, { method: 'POST', body: {}, signal }),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
}

/** Undoes the run, reports the result in a toast, and goes to the plans of the Instance. */
export function useUndo(row: RunRow) {
  const router = useRouter();
  const plans = instancePath(row.namespace, row.instance, 'plans');
  return useMutation({
    mutationFn: (wish: UndoWish) => request<{ plan?: string }>(undoPath(row), { method: 'POST', body: wish }),
    onSuccess: ({ plan = '' }) => {
      showToast({ tone: 'ok', title: `Run ${row.name} is undone: plan ${plan} started` });
      router.push(plans);
    },
    onError: (error) => showToast({ tone: 'fail', title: `Run ${row.name} was not undone`, detail: error.message }),
  });
}
