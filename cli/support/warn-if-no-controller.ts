import type { KubeObject } from '@/lib/kube/object';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { Instance } from '@/lib/kudo/types';
import { runningController } from '@/server/kube/running-controller';
import { TIMEOUT_SECONDS } from '@/server/webhook/registration';
import type { ClusterSession } from './session';

/** The namespace in which `bravo init` installs a controller. */
const INSTALLATION_NAMESPACE = 'kudo-system';

/**
 * Writes a change of an Instance, and warns on standard error when the API server stored it and no controller has acted upon it:
 * none is running, or it did not answer. Costs a read only if no webhook decided about the change.
 */
export async function writeOrWarn(session: ClusterSession, write: () => Promise<KubeObject>): Promise<KubeObject> {
  const startMs = session.clock.monotonic();
  const stored = await write();
  await warnIfNoController(session, stored, session.clock.monotonic() - startMs);
  return stored;
}

/** The warning alone, for an Instance whose write took `tookMs`. */
export async function warnIfNoController(session: ClusterSession, stored: KubeObject, tookMs = 0): Promise<void> {
  if (!isPending(stored as Instance)) return;
  // A person without the right to read leases gets no warning; the change is stored all the same.
  const lease = await runningController(session, INSTALLATION_NAMESPACE).catch(() => 'unknown' as const);
  if (lease === undefined) {
    warn('No controller is running. The change is stored; a controller acts upon it when one runs.');
  } else if (tookMs >= TIMEOUT_SECONDS * 1000) {
    warn('The controller did not answer in time. The change is stored; the controller acts upon it later.');
  }
}

/** True when nobody acted upon the version, the parameters or the requested plan. */
function isPending(instance: Instance): boolean {
  const record = actedUpon(instance);
  if (record === undefined || hasUnseenChange(instance)) return true;
  const { planName = '', uid = '' } = instance.spec?.planExecution ?? {};
  return planName !== '' && record.uid !== uid;
}

function warn(text: string): void {
  process.stderr.write(`Warning: ${text}\n`);
}
