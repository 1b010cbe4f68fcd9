import { PLAN_RUN_API_VERSION, type PlanRun, type PlanRunSpec, type PlanRunStatus } from './plan-run';

/** A run `db-backup-N` of the Instance `db` that is under way unless its status says otherwise. */
export function testRun(number: number, status: PlanRunStatus = {}, spec: PlanRunSpec = {}): PlanRun {
  return {
    apiVersion: PLAN_RUN_API_VERSION,
    kind: 'PlanRun',
    metadata: { name: `db-backup-${number}`, namespace: 'n', uid: `run ${number}` },
    spec: {
      instanceName: 'db',
      instanceUid: 'db',
      plan: 'backup',
      uid: `execution ${number}`,
      cause: 'Manual',
      ...spec,
    },
    status: { startedAt: `2026-01-0${number}T00:00:00Z`, ...status },
  };
}
