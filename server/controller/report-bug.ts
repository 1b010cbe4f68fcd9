import { formatTime } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { withExtraCondition } from '@/lib/kudo/plan/conditions';
import type { ReconcilerDeps } from './reconciler-deps';

/** Only the log has the error's own text: it may quote a secret. */
const MESSAGE =
  'An internal error of the controller stops this Instance. The controller tries again at least every minute; its log has the details (reconcile.bug).';

/**
 * An error that is none of the four kinds is a bug: it is logged as an error and shown on the Instance, so that people know why
 * nothing happens. The next successful reconcile removes the condition. Never fails.
 */
export async function reportBug(deps: ReconcilerDeps, key: string, error: unknown): Promise<void> {
  const { log, store, events, clock } = deps;
  log.error('reconcile.bug', {
    key,
    problem: messageOf(error),
    stack: error instanceof Error ? error.stack : '',
  });
  const instance = store.get(key);
  if (instance === undefined) return;
  events.record(instance, 'Warning', 'ReconcileFailed', MESSAGE);
  const before = instance.status?.conditions;
  const stalled = { reason: 'ReconcileFailed', message: MESSAGE };
  const after = withExtraCondition(before, 'Stalled', stalled, formatTime(clock.now()));
  if (after === before || after === undefined) return;
  try {
    await store.writeStatus({ ...instance, status: { ...instance.status, conditions: [...after] } });
  } catch (problem) {
    if (!(problem instanceof BravoError)) log.error('reconcile.bug', { key, problem: messageOf(problem) });
  }
}
