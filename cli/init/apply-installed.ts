import { sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import { type JsonValue, jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Target } from '@/server/kube/api';
import type { ClusterSession } from '../support/session';
import { targetOf } from './object-target';

/** The field manager of everything that `bravo init` applies. */
export const INIT_FIELD_MANAGER = 'bravo-init';

const DELETED_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 250;

/**
 * Server-side apply: creates the object, or gives its fields our values and keeps what others have set besides, labels too. A binding to
 * another role is deleted first, because `roleRef` is immutable.
 */
export async function applyInstalled(session: ClusterSession, object: KubeObject): Promise<void> {
  const { api } = session;
  const target = targetOf(object);
  if (object.roleRef !== undefined) {
    const live = await api.get(target);
    if (live !== undefined && !jsonEqual(live.roleRef, object.roleRef)) await deleteAndWait(session, target);
  }
  await api.patch(target, 'apply', object as JsonValue, { fieldManager: INIT_FIELD_MANAGER, force: true });
}

/**
 * Deletes an object with what it owns, and waits until it does not exist any more.
 *
 * @returns false when it did not exist
 * @throws TransientError after a minute
 */
export async function deleteAndWait({ api, clock }: ClusterSession, target: Target): Promise<boolean> {
  if ((await api.delete(target, { propagation: 'Foreground' })) === undefined) return false;
  const end = clock.monotonic() + DELETED_WITHIN_MS;
  while ((await api.get(target)) !== undefined) {
    if (clock.monotonic() > end) {
      throw new TransientError(`${target.resource} ${target.name ?? ''} was not deleted within 60 s`, 'Timeout');
    }
    await sleep(clock, POLL_INTERVAL_MS);
  }
  return true;
}
