import { PLAN_SCHEDULES, type PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import type { Api } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import { StatusStore } from './status-store';

/** The newest known state of every PlanSchedule. */
export type PlanScheduleStore = StatusStore<PlanSchedule>;

export function planScheduleStore(api: Api, cache: Cache): PlanScheduleStore {
  return new StatusStore(api, PLAN_SCHEDULES, cache);
}
