import { sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import { LEASE_NAME } from '@/lib/kudo/installation/names';
import { runningController } from '@/server/kube/running-controller';
import type { ClusterSession } from '../support/session';

const POLL_INTERVAL_MS = 500;
/** @throws TransientError in KUDO's words at the timeout */
export async function waitForController(session: ClusterSession, namespace: string, timeoutMs: number): Promise<void> {
  const { clock } = session;
  const end = clock.monotonic() + timeoutMs;
  while ((await runningController(session, namespace)) === undefined) {
    if (clock.monotonic() >= end) {
      throw new TransientError(
        `watch timed out, readiness uncertain: no controller holds the lease ${LEASE_NAME}. Pass an image that exists with --kudo-image, or run bravo controller.`,
        'Timeout',
      );
    }
    await sleep(clock, POLL_INTERVAL_MS);
  }
}
