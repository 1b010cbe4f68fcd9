import { nameOf, namespaceOf } from '@/lib/kube/object';
import { MAX_INSTANCE_NAME } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import { PLAN_RUN_API_VERSION, type PlanRun, type PlanRunStatus, RUN_INSTANCE_LABEL } from './plan-run';
import { stopAfterMessage } from './steering-entries';

/** `<instance>-<plan>-<n>`; plans may have names that no object can have. */
export function planRunName(instance: string, plan: string, number: number): string {
  const safe = plan
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return `${instance}-${safe === '' ? 'plan' : safe}-${number}`;
}

/** The number at the end of such a name; 0 when it is another name. */
export function numberOfRun(name: string, instance: string, plan: string): number {
  const start = planRunName(instance, plan, 0).slice(0, -1);
  const digits = name.startsWith(start) ? name.slice(start.length) : '';
  return /^[1-9][0-9]{0,9}$/.test(digits) ? Number(digits) : 0;
}

/** The PlanRun of an execution that begins, as it is created. */
export function newPlanRun(instance: Instance, { plan, uid }: Scheduled, number: number): PlanRun {
  const name = nameOf(instance);
  const record = actedUpon(instance);
  const origin = record?.uid === uid ? record.origin : undefined;
  const { cause = 'Manual', by, reason, retryOf, undoOf, stopAfter } = origin ?? {};
  return {
    apiVersion: PLAN_RUN_API_VERSION,
    kind: 'PlanRun',
    metadata: {
      name: planRunName(name, plan, number),
      namespace: namespaceOf(instance),
      ...(name.length > MAX_INSTANCE_NAME ? {} : { labels: { [RUN_INSTANCE_LABEL]: name } }),
    },
    spec: {
      instanceName: name,
      instanceUid: instance.metadata.uid ?? '',
      plan,
      uid,
      cause,
      ...(by === undefined ? {} : { requestedBy: by }),
      ...(reason === undefined ? {} : { reason }),
      ...(retryOf === undefined ? {} : { retryOf }),
      ...(undoOf === undefined ? {} : { undoOf }),
      ...(stopAfter === undefined ? {} : { stopAfter }),
    },
  };
}

/** What its status says from the beginning on: when it began, with which version, and what changed. */
export function beginningOf(instance: Instance, { uid }: Scheduled): PlanRunStatus {
  const record = actedUpon(instance);
  if (record?.uid !== uid) return {};
  const { changes, versionBefore, brokenLock, approval, by, retryOf, stopAfter } = record.origin ?? {};
  const { startedAt: at } = record;
  const known = { ...(at === undefined ? {} : { at }), ...(by === undefined ? {} : { by }) };
  const said = {
    LockBroken: brokenLock,
    Approved: approval === undefined ? undefined : `Started with PlanApproval ${approval}.`,
    Retried: retryOf === undefined ? undefined : `Run ${retryOf} is repeated.`,
    StopAfter: stopAfter === undefined ? undefined : stopAfterMessage(stopAfter),
  };
  const steering = Object.entries(said).flatMap(([event, message]) =>
    message === undefined ? [] : [{ ...known, event, message }],
  );
  return {
    ...(record.startedAt === undefined ? {} : { startedAt: record.startedAt }),
    ...(record.operatorVersion.name === undefined ? {} : { operatorVersion: record.operatorVersion.name }),
    ...(versionBefore === undefined ? {} : { operatorVersionBefore: versionBefore }),
    ...(changes === undefined ? {} : { changes: [...changes] }),
    ...(steering.length === 0 ? {} : { steering }),
  };
}
