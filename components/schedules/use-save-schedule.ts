'use client';

import { useMutation } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { showToast } from '@/components/ui/toast';
import { PLAN_SCHEDULE_API_VERSION, PLAN_SCHEDULES, type PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import { draftedSpec, draftPatch, type ScheduleDraft, scheduleDraft } from '@/lib/kudo/view/schedule-draft';
import { type ScheduleRow, schedulePath } from '@/lib/kudo/view/schedule-row';

type ScheduleName = Pick<ScheduleRow, 'namespace' | 'name'>;

const MERGE_PATCH = 'application/merge-patch+json';

/** Creates a schedule, or changes one, with the rights of the person. The caller shows the error. */
export function useSaveSchedule(namespace: string, existing: PlanSchedule | undefined) {
  return useMutation({
    mutationFn: async (draft: ScheduleDraft) => {
      const { name } = draft;
      if (existing === undefined) {
        const object = {
          apiVersion: PLAN_SCHEDULE_API_VERSION,
          kind: 'PlanSchedule',
          metadata: { name, namespace },
          spec: draftedSpec(draft),
        };
        await request(kubePath({ ...PLAN_SCHEDULES, namespace }), { method: 'POST', body: object });
        return;
      }
      const spec = draftPatch(scheduleDraft(name, existing.spec ?? {}), draft);
      await patch({ namespace, name }, { metadata: { uid: existing.metadata.uid }, spec });
    },
    onSuccess: (_answer, { name }) =>
      showToast({
        tone: 'ok',
        title: `Schedule ${name} was ${existing === undefined ? 'created' : 'changed'}`,
        ...(existing === undefined
          ? { link: { label: 'Open the schedule', href: schedulePath({ namespace, name }) } }
          : {}),
      }),
  });
}

/** Suspends or resumes a schedule, and reports the result in a toast. */
export function useSuspendSchedule({ namespace, name }: ScheduleName) {
  return useMutation({
    mutationFn: (suspend: boolean) => patch({ namespace, name }, { spec: { suspend } }),
    onSuccess: (_answer, suspend) =>
      showToast({
        tone: 'ok',
        title: suspend ? `Schedule ${name} starts nothing until it is resumed` : `Schedule ${name} goes on`,
      }),
    onError: (error) => showToast({ tone: 'fail', title: `Schedule ${name} was not changed`, detail: error.message }),
  });
}

/**
 * Deletes the schedule that the person saw, and no other one of its name. The caller shows the error.
 *
 * @param onDeleted is called also when the button is gone by then, because the page heard of the deletion before the answer came
 */
export function useDeleteSchedule({ namespace, name, schedule }: ScheduleRow, onDeleted: () => void) {
  return useMutation({
    mutationFn: () =>
      request(kubePath({ ...PLAN_SCHEDULES, namespace, name }), {
        method: 'DELETE',
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: schedule.metadata.uid } },
      }),
    onSuccess: () => {
      showToast({ tone: 'ok', title: `Schedule ${name} was deleted` });
      onDeleted();
    },
  });
}

function patch({ namespace, name }: ScheduleName, body: object): Promise<unknown> {
  const path = kubePath({ ...PLAN_SCHEDULES, namespace, name });
  return request(path, { method: 'PATCH', body, contentType: MERGE_PATCH });
}
