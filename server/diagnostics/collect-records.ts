import { parseJsonObject, stringAt } from '@/lib/json/json';
import { nameOf } from '@/lib/kube/object';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { shownRecordText } from '@/lib/kudo/runs/shown-record';
import { limits } from '@/lib/limits/limits';
import { readRecordJson } from '@/server/runs/record-secret';
import type { DiagnosticsContext } from './collect-objects';

/**
 * Writes the records of the last runs of an Instance to `run_NAME.json`: the objects that each task touched, and why a run failed, with
 * its events and logs. Manifests are left out, as in a snapshot.
 */
export async function collectRecords({ session, bundle }: DiagnosticsContext, instance: string): Promise<void> {
  const { items } = await session.api.list({ ...PLAN_RUNS, namespace: session.namespace });
  const runs = (items as PlanRun[])
    .filter((run) => stringAt(run.spec, 'instanceName') === instance && run.status?.recordName !== undefined)
    .sort((a, b) => (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? ''))
    .slice(-limits.diagnostics.records);
  for (const run of runs) {
    try {
      const record = await readRecordJson(session.api, run);
      if (record !== undefined)
        await bundle.writeJson(`run_${nameOf(run)}.json`, parseJsonObject(shownRecordText(record)));
    } catch (error) {
      await bundle.writeError(`run_${nameOf(run)}.err`, error);
    }
  }
}
