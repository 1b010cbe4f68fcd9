import type { KubeObject } from '@/lib/kube/object';
import { actedUpon, hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import type { Instance } from '@/lib/kudo/types';
import { TIMEOUT_SECONDS } from '@/server/webhook/registration';
import { runningController } from '../init/controller-lease';
import type { Session } from './session';

/** Where `bravo init` puts a controller. */
const INSTALLED_IN = 'kudo-system';

/**
 * Sends a change of an Instance, and says on standard error when it was stored and nobody is there who acts upon it: the
 * controller is away, or does not answer. Costs a read only when no webhook has decided about the change.
 */
export async function tellUnheard(session: Session, write: () => Promise<KubeObject>): Promise<KubeObject> {
  const startMs = session.clock.monotonic();
  const stored = await write();
  await noteUnheard(session, stored, session.clock.monotonic() - startMs);
  return stored;
}

/** The note alone, for an Instance that was stored `tookMs` after it was sent. */
export async function noteUnheard(session: Session, stored: KubeObject, tookMs = 0): Promise<void> {
  if (!isUnheard(stored as Instance)) return;
  // Who may not read leases is told nothing; the change is stored all the same.
  const lease = await runningController(session, INSTALLED_IN).catch(() => 'unknown' as const);
  const later = 'What you sent is stored, and is acted upon';
  if (lease === undefined) note(`no controller is at work. ${later} as soon as one is.`);
  else if (tookMs >= TIMEOUT_SECONDS * 1000)
    note(`the controller did not answer in time. ${later} as soon as it looks.`);
}

/** True when neither version and parameters nor the plan that is asked for were acted upon. */
function isUnheard(instance: Instance): boolean {
  const record = actedUpon(instance);
  if (record === undefined || hasUnseenChange(instance)) return true;
  const { planName = '', uid = '' } = instance.spec?.planExecution ?? {};
  return planName !== '' && record.uid !== uid;
}

function note(text: string): void {
  process.stderr.write(`Note: ${text}\n`);
}
