import { executionOf, type Scheduled } from '@/lib/kudo/plan/scheduled';
import { withoutRequest } from '@/lib/kudo/runs/run-request';
import type { Instance } from '@/lib/kudo/types';
import { AGAIN, type Outcome } from './outcome';
import type { ReconcilerDeps } from './reconciler-deps';

/** What was asked for cannot be: `planExecution` goes back to what runs, or to nothing, and an event says why. */
export async function restoreExecution(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled | undefined,
  message: string,
): Promise<Outcome> {
  deps.events.record(instance, 'Warning', 'ChangeRefused', message);
  const planExecution = scheduled === undefined ? {} : executionOf(scheduled, 'IN_PROGRESS');
  // What was said about the run that is refused says nothing about a later one.
  const { metadata } = withoutRequest(instance, instance.spec?.planExecution?.planName ?? '');
  await deps.store.write({ ...instance, metadata, spec: { ...instance.spec, planExecution } });
  return AGAIN;
}
