import { CLEANUP_PLAN, DEPLOY_PLAN, planTitle, UPDATE_PLAN, UPGRADE_PLAN } from '@/lib/kudo/names';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { heldDeletion } from '@/lib/kudo/plan/held-deletion';
import { isDestructive } from '@/lib/kudo/plan-metadata/confirmation';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { InstanceRow } from './instance-row';

/** Plans that the controller starts; the header has no buttons for them. */
const BY_THEMSELVES: readonly string[] = [DEPLOY_PLAN, UPDATE_PLAN, UPGRADE_PLAN, CLEANUP_PLAN];

/** Plans that replace data and need a confirmation, whatever their package says. */
const OVERWRITING: readonly string[] = ['restore'];

const FIRST: readonly string[] = ['backup', 'restore'];

/** The operator's own plans: backup and restore first, the others in its order. */
export function ownPlans(row: Pick<InstanceRow, 'operatorVersionObject'>): string[] {
  const plans = Object.keys(row.operatorVersionObject?.spec?.plans ?? {}).filter(
    (plan) => !BY_THEMSELVES.includes(plan),
  );
  return [...FIRST.filter((plan) => plans.includes(plan)), ...plans.filter((plan) => !FIRST.includes(plan))];
}

type VersionOfRow = Pick<InstanceRow, 'operatorVersionObject'>;

/** What a button that runs the plan says: the name that the package gives it, else the usual one. */
export function planTitleOf({ operatorVersionObject }: VersionOfRow, plan: string): string {
  const { displayName = '' } = planMetadataOf(operatorVersionObject, plan);
  return displayName === '' ? planTitle(plan) : displayName;
}

/**
 * True when the plan deletes or replaces data, so that starting it has to be confirmed by the Instance's name. A `restore` of a
 * package that does not say so counts, too.
 */
export function needsConfirmation({ operatorVersionObject }: VersionOfRow, plan: string): boolean {
  return OVERWRITING.includes(plan) || isDestructive(operatorVersionObject, plan);
}

/** True when a person has to see or enter something before the plan starts. */
export function asksFirst(row: VersionOfRow, plan: string): boolean {
  const { confirm, parameters = [], preconditions = [], approval } = planMetadataOf(row.operatorVersionObject, plan);
  const hasMore = confirm !== undefined || parameters.length > 0 || preconditions.length > 0 || approval === true;
  return hasMore || needsConfirmation(row, plan);
}

/** Why a plan cannot be started now, as a sentence; undefined when it can, or when it would wait for another one. */
export function planBlock(
  row: Pick<InstanceRow, 'active' | 'instance' | 'operatorVersionObject' | 'operatorVersion' | 'isVersionMissing'>,
  plan: string,
  isDeleted: boolean,
): string | undefined {
  if (isDeleted) return 'The instance was deleted.';
  if (plan === CLEANUP_PLAN) {
    const isHeld = heldDeletion(row.instance) !== undefined;
    return isHeld ? undefined : 'The controller runs it when the instance is deleted.';
  }
  if (row.instance.metadata.deletionTimestamp !== undefined) return 'The instance is being deleted.';
  if (row.operatorVersionObject === undefined) return withoutVersion(row);
  // A stalled plan can be started again, and any other plan replaces it.
  if (stallOf(row.instance) !== undefined) return undefined;
  if (row.active?.name === plan) return `Plan ${plan} is running.`;
  // A version is changed by no plan of its own name, and does not wait.
  if (row.active !== undefined && plan === '') return `Plan ${row.active.name} is running. Wait until it ends.`;
  if (row.active !== undefined && isWaiting(row.instance, plan)) return `Plan ${plan} waits in the queue.`;
  return undefined;
}

function isWaiting(instance: InstanceRow['instance'], plan: string): boolean {
  return runQueueOf(instance).entries.some((entry) => entry.plan === plan);
}

/** Why the plans and parameters of an Instance are unknown: its OperatorVersion does not exist, or cannot be read. */
export function withoutVersion(row: Pick<InstanceRow, 'operatorVersion' | 'isVersionMissing'>): string {
  return `OperatorVersion ${row.operatorVersion} ${row.isVersionMissing ? 'does not exist' : 'cannot be read'}.`;
}
