import { accessTo } from '@/lib/kube/access';
import { topics } from '@/lib/live/topic';

/** The right to create, patch or delete schedules of a namespace. */
export const toSchedule = (verb: 'create' | 'patch' | 'delete', namespace: string) =>
  accessTo(verb, topics.planSchedules, namespace);
