import { messageOf, TransientError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';
import { codeOf } from '@/server/kube/errors';
import type { ReconcilerDeps } from './reconciler-deps';

/** A number that another execution took is tried so often. */
const NAME_ATTEMPTS = 5;

/**
 * Creates the PlanRun of an execution with the next free number, or gives the one that has its uid. A watch that is late knows too few: a
 * number that is taken says so.
 *
 * @param make the PlanRun with a number
 */
export async function createRun(
  { planRuns }: ReconcilerDeps,
  instance: Instance,
  { plan, uid }: Scheduled,
  make: (number: number) => PlanRun,
): Promise<PlanRun> {
  const first = planRuns.nextNumber(instance, plan);
  let number = first;
  for (let attempt = 1; ; attempt++) {
    const run = make(number);
    try {
      return await planRuns.create(run);
    } catch (error) {
      if (codeOf(error) !== 409) throw error;
      const found = await planRuns.read(run.metadata.namespace ?? '', nameOf(run));
      if (found?.spec?.uid === uid) return found;
      if (attempt > NAME_ATTEMPTS) throw error;
      // A number that nobody has is tried again: a later leader, whose watch is late, would try it too.
      if (found !== undefined) number++;
    }
  }
}

/**
 * What a write of a PlanRun gave; undefined when the API refuses the write and a later try would not help.
 *
 * @param key the Instance, `namespace/name`
 * @throws TransientError
 */
export async function written<T>(deps: ReconcilerDeps, key: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof TransientError || codeOf(error) === 0) throw error;
    deps.log.warn('run.not-recorded', { instance: key, problem: messageOf(error) });
    return undefined;
  }
}
