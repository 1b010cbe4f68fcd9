import { CLEANUP_PLAN, DEPLOY_PLAN, UPDATE_PLAN, UPGRADE_PLAN } from '@/lib/kudo/names';
import { stallOf } from '@/lib/kudo/plan/conditions';
import type { InstanceRow } from './instance-row';

/** Plans that run by themselves; their buttons are not in the header. */
const BY_THEMSELVES: readonly string[] = [DEPLOY_PLAN, UPDATE_PLAN, UPGRADE_PLAN, CLEANUP_PLAN];

/** Plans that overwrite data and are asked for twice. */
const OVERWRITING: readonly string[] = ['restore'];

const FIRST: readonly string[] = ['backup', 'restore'];

/** The operator's own plans: backup and restore first, the others in its order. */
export function ownPlans(row: Pick<InstanceRow, 'operatorVersionObject'>): string[] {
  const plans = Object.keys(row.operatorVersionObject?.spec?.plans ?? {}).filter(
    (plan) => !BY_THEMSELVES.includes(plan),
  );
  return [...FIRST.filter((plan) => plans.includes(plan)), ...plans.filter((plan) => !FIRST.includes(plan))];
}

/** True when the plan replaces data, so that starting it has to be confirmed by the Instance's name. */
export function needsConfirmation(plan: string): boolean {
  return OVERWRITING.includes(plan);
}

/** Why a plan cannot be started now, as a sentence; undefined when it can. */
export function planBlock(
  row: Pick<InstanceRow, 'active' | 'instance' | 'operatorVersionObject' | 'operatorVersion' | 'isVersionMissing'>,
  plan: string,
  isGone: boolean,
): string | undefined {
  if (isGone) return 'The instance is gone.';
  if (plan === CLEANUP_PLAN) return 'Runs by itself when the instance is deleted.';
  if (row.instance.metadata.deletionTimestamp !== undefined) return 'The instance is being deleted.';
  if (row.operatorVersionObject === undefined) return withoutVersion(row);
  // A plan that makes no progress can be started again, and gives way to any other.
  if (stallOf(row.instance) !== undefined) return undefined;
  if (row.active?.name === plan) return `${plan} is running.`;
  if (row.active !== undefined) return `${row.active.name} is running; available when it has ended.`;
  return undefined;
}

/** Why an Instance's plans and parameters are not known: no such OperatorVersion, or none that can be read. */
export function withoutVersion(row: Pick<InstanceRow, 'operatorVersion' | 'isVersionMissing'>): string {
  return `OperatorVersion ${row.operatorVersion} ${row.isVersionMissing ? 'is missing' : 'cannot be read'}.`;
}
