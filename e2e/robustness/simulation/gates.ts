import { formatTime } from '@/lib/clock/clock';
import { APPROVAL_ANNOTATION, PLAN_APPROVAL_API_VERSION, PLAN_APPROVALS } from '@/lib/kudo/approvals/plan-approval';
import { BREAK_LOCK_ANNOTATION, LOCK_ANNOTATION, lockText } from '@/lib/kudo/lock/instance-lock';
import { type Random, randomUuid, seededRandom } from '@/lib/random/random';
import { codeOf, isNamespaceTerminating } from '@/server/kube/errors';
import { createApi } from '@/server/kube/http-api';
import { GATED_PLAN, type GateAction } from './late-actions';
import type { PersonEdit } from './person-edit';
import { INSTANCE } from './script-objects';
import type { Simulation } from './simulation';

/** The edits of the Instance, one after the other, to which an action comes. */
export async function gateEdits(
  simulation: Simulation,
  namespace: string,
  action: GateAction,
  random: Random,
): Promise<readonly PersonEdit[]> {
  switch (action.do) {
    case 'lock': {
      const until = formatTime(simulation.clock.now() + action.endsInMs);
      return [{ annotations: { [LOCK_ANNOTATION]: lockText({ reason: 'sale', until }) } }];
    }
    case 'unlock':
      return [UNLOCK];
    case 'break-lock':
      return [start(action.plan, { [BREAK_LOCK_ANNOTATION]: action.reason }, random)];
    case 'approved-start': {
      const name = await approval(simulation, namespace, action.afterwardsMs, random);
      if (name === undefined) return [];
      return Array.from({ length: action.starts }, () => start(GATED_PLAN, { [APPROVAL_ANNOTATION]: name }, random));
    }
  }
}

export const UNLOCK: PersonEdit = { annotations: { [LOCK_ANNOTATION]: null } };

function start(planName: string, annotations: { [name: string]: string }, random: Random): PersonEdit {
  return { annotations, spec: { planExecution: { planName, uid: randomUuid(random) } } };
}

/**
 * A user asks, and another one approves. Gives the name of the PlanApproval, which counts only when the webhook saw both; undefined when it could not
 * be made.
 */
async function approval(
  simulation: Simulation,
  namespace: string,
  afterwardsMs: number,
  random: Random,
): Promise<string | undefined> {
  const name = `${GATED_PLAN}-${randomUuid(random).slice(0, 8)}`;
  const target = { ...PLAN_APPROVALS, namespace };
  try {
    await simulation.people.create(target, {
      apiVersion: PLAN_APPROVAL_API_VERSION,
      kind: 'PlanApproval',
      metadata: { name, namespace },
      spec: { instanceName: INSTANCE, plan: GATED_PLAN },
    });
    await simulation.scheduler.pass(afterwardsMs);
    await secondPerson(simulation).patch({ ...target, name }, 'merge', { status: { approvedBy: 'me' } }, STATUS);
  } catch (error) {
    // The webhook refuses what cannot be approved: the Instance has no such version, or nobody is known to have asked.
    if (!isNamespaceTerminating(error) && codeOf(error) !== 404 && codeOf(error) !== 403) throw error;
  }
  return name;
}

const STATUS = { subresource: 'status' } as const;

/** An Api without faults for another user than the one who does everything else. */
function secondPerson({ clock, cluster, direct }: Simulation) {
  const who = { 'impersonate-user': 'second', 'impersonate-group': 'system:masters' };
  return createApi(cluster, {
    clock,
    random: seededRandom('the second person'),
    transport: { ...direct, request: (call) => direct.request({ ...call, headers: { ...call.headers, ...who } }) },
  });
}
