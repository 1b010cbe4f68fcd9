import { parseTime, sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { LEASE_NAME } from '@/server/controller/lease';
import type { Session } from '../support/session';

const ASK_EVERY_MS = 500;
/** A holder that was silent for longer is no sign of a controller; it renews every five seconds. */
const FRESH_MS = 30_000;

/**
 * The holder of the controllers' lease when it was renewed a short while ago: the sign that plans are executed. It is looked for
 * where controllers keep it unless they are told otherwise, and in the namespace of the installation.
 */
export async function workingController({ api, clock }: Session, namespace: string): Promise<string | undefined> {
  for (const place of new Set(['default', namespace])) {
    const target = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
    const lease = await api.get({ ...target, namespace: place, name: LEASE_NAME });
    const holder = stringAt(lease, 'spec', 'holderIdentity') ?? '';
    const renewedMs = parseTime(stringAt(lease, 'spec', 'renewTime'));
    if (holder !== '' && renewedMs !== undefined && Math.abs(clock.now() - renewedMs) < FRESH_MS) return holder;
  }
  return undefined;
}

/** @throws TransientError in KUDO's words at the timeout */
export async function waitForController(session: Session, namespace: string, timeoutMs: number): Promise<void> {
  const { clock } = session;
  const end = clock.monotonic() + timeoutMs;
  while ((await workingController(session, namespace)) === undefined) {
    if (clock.monotonic() >= end) {
      throw new TransientError(
        `watch timed out, readiness uncertain: no controller holds the lease ${LEASE_NAME}; give an image that exists (--kudo-image), or run bravo controller`,
        'Timeout',
      );
    }
    await sleep(clock, ASK_EVERY_MS);
  }
}
