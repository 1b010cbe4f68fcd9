import { nameOf } from '@/lib/kube/object';
import { runHistory } from '@/lib/kudo/plan/run-history';
import { failedStepOf } from '@/lib/kudo/runs/failed-step';
import { derivedUid } from '@/lib/kudo/schedules/slot-uid';
import { namesExecution } from '@/lib/kudo/schedules/start-check';
import type { Instance } from '@/lib/kudo/types';
import type { OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import type { LastPlan } from '@/lib/kudo/upgrades/upgrade-entry';

/** So often a person may resume after failures of one Instance. */
const MOST_ATTEMPTS = 50;

/**
 * The uid of the run that an upgrade starts on an Instance; of another attempt when it says which run failed. It is derived, so that a start that is
 * repeated after a crash is the same execution.
 */
export function waveRunUid({ metadata }: OperatorUpgrade, instance: string, retryOf = ''): string {
  return derivedUid('bravo.kudo.dev/upgrade', `${metadata.uid ?? ''}\n${instance}\n${retryOf}`);
}

/** The run of the upgrade's plan on an Instance that was started last, as the Instance itself says; undefined before the first. */
export function waveRunOf(upgrade: OperatorUpgrade, instance: Instance): LastPlan | undefined {
  const plan = upgrade.spec?.plan ?? '';
  let last: LastPlan | undefined;
  let uid = '';
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    uid = waveRunUid(upgrade, nameOf(instance), uid);
    last = knownRun(instance, plan, uid) ?? last;
  }
  return last;
}

function knownRun(instance: Instance, plan: string, uid: string): LastPlan | undefined {
  const status = instance.status?.planStatus?.[plan];
  if (status?.uid === uid) {
    const message = failedStepOf(plan, status)?.message ?? status.message;
    return { plan, uid, status: status.status, message };
  }
  const ended = runHistory(instance).find((run) => run.uid === uid);
  if (ended !== undefined) return { plan, uid, status: ended.status, message: undefined };
  return namesExecution(instance, plan, uid) ? { plan, uid, status: 'PENDING', message: undefined } : undefined;
}
