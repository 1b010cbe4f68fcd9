import { formatTime } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { withExtraCondition } from '@/lib/kudo/plan/conditions';
import type { World } from './world';

/** What the error says goes to the log alone: it may quote what it choked on. */
const MESSAGE =
  'An internal error of the controller stops this Instance. The controller tries again at least every minute; its log has the details (reconcile.bug).';

/**
 * An error that is none of the four kinds is a bug: it is said loudly in the log, and on the Instance, so that its people know why
 * nothing happens. The condition goes with the next look that succeeds. Never fails.
 */
export async function tellFault(world: World, key: string, error: unknown): Promise<void> {
  const { log, store, events, clock } = world;
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
