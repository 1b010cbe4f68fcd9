import { nameOf } from '@/lib/kube/object';
import { ownersOfKind } from '@/lib/kube/owners';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import { WAITS } from '@/lib/kudo/runs/steering';
import type { Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import { isDeleting, type Scheduled, scheduledPlan } from './scheduled';
import { isTerminal } from './status';

/** What is known when a run of a group is to begin. */
export interface GroupInput {
  readonly instance: Instance;
  readonly scheduled: Scheduled;
  readonly operatorVersion: OperatorVersion;
  /** All Instances of its namespace. */
  readonly others: readonly Instance[];
  /** The OperatorVersion of an Instance; undefined when it is not known. */
  readonly versionOf: (instance: Instance) => OperatorVersion | undefined;
  /** True for an execution that was told to begin, and whose status may not say so yet. */
  readonly isAdmitted: (uid: string) => boolean;
}

/**
 * Why a run whose plan has a `concurrency` group does not begin yet, as a sentence that names a run of the group; undefined when it may. A group is of one
 * operator in one namespace. What has begun counts until it is over, so a run that counts waits for no other one, and none waits for itself:
 * owners of the Instance do not count. A deletion waits for nothing.
 */
export function groupWait(input: GroupInput): string | undefined {
  const { instance, scheduled, operatorVersion } = input;
  const { concurrency } = planMetadataOf(operatorVersion, scheduled.plan);
  if (concurrency === undefined || scheduled.plan === CLEANUP_PLAN || isDeleting(instance)) return undefined;
  if (hasBegun(instance.status?.planStatus?.[scheduled.plan], scheduled.uid)) return undefined;
  const { group, limit } = concurrency;
  const running = input.others.filter((other) => isInGroup(input, other, group));
  const [first] = running;
  if (first === undefined || running.length < limit) return undefined;
  const plan = scheduledPlan(first)?.plan ?? '';
  const most = limit === 1 ? 'one run' : `${limit} runs`;
  return `${WAITS} of plan ${plan} of Instance ${nameOf(first)}: group ${group} has at most ${most} at a time.`;
}

function isInGroup({ instance, operatorVersion, versionOf, isAdmitted }: GroupInput, other: Instance, group: string) {
  const running = scheduledPlan(other);
  if (running === undefined || other.metadata.uid === instance.metadata.uid) return false;
  if (ownersOfKind(instance, 'kudo.dev', 'Instance').some(({ uid }) => uid === other.metadata.uid)) return false;
  const version = versionOf(other);
  if (version?.spec?.operator?.name !== operatorVersion.spec?.operator?.name) return false;
  if (planMetadataOf(version, running.plan).concurrency?.group !== group) return false;
  const status = other.status?.planStatus?.[running.plan];
  if (status?.uid === running.uid && isTerminal(status.status)) return false;
  return isAdmitted(running.uid) || hasBegun(status, running.uid);
}

/** True when a step of the execution has begun. */
function hasBegun(status: PlanStatus | undefined, uid: string): boolean {
  if (status?.uid !== uid || uid === '') return false;
  const steps = (status.phases ?? []).flatMap((phase) => phase.steps ?? []);
  return steps.some((step) => step.status !== undefined && step.status !== 'PENDING' && step.status !== 'NEVER_RUN');
}
