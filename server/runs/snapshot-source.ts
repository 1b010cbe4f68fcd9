import type { Clock } from '@/lib/clock/clock';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { SnapshotSource } from '@/lib/kudo/snapshot/snapshot';
import type { Api } from '@/server/kube/api';
import { readRecordJson } from './record-secret';

/** What a snapshot of a run is made of, as the cluster has it; undefined when the run does not exist. */
export async function readSnapshotSource(
  api: Api,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { version, clock }: { readonly version: string; readonly clock: Clock },
): Promise<SnapshotSource | undefined> {
  const run = (await api.get({ ...PLAN_RUNS, namespace, name })) as PlanRun | undefined;
  if (run === undefined) return undefined;
  return { run, record: await readRecordJson(api, run), version, nowMs: clock.now() };
}
