import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import type { Lane } from './queue';

/** An Instance that has never finished a plan is new, in the normal lane; every other one was edited, and is urgent. */
export function laneOf(instance: Instance | undefined): Lane {
  const statuses = Object.values(instance?.status?.planStatus ?? {});
  return statuses.some(({ status }) => isTerminal(status)) ? 'urgent' : 'normal';
}
