import type { Instance } from '../types';

/** How far the plans of an Instance are, for comparison: the uid of each plan and how many of its steps are complete. */
export function stepsDone(instance: Instance | undefined): string {
  const plans = Object.values(instance?.status?.planStatus ?? {});
  const done = plans.map(({ uid, phases }) => {
    const steps = (phases ?? []).flatMap((phase) => phase.steps ?? []);
    return `${uid} ${steps.filter(({ status }) => status === 'COMPLETE').length}`;
  });
  return done.join();
}
