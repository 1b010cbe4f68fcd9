import { TerminalError } from '@/lib/errors/errors';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { json, route } from '@/server/http/route';
import { readRunRecord } from '@/server/runs/record-secret';

/** What a run applied, and why it failed. The values of Secrets are fingerprints in it. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params }) => {
  const { namespace, name } = params;
  const run = await session.api.get({ ...PLAN_RUNS, namespace, name });
  if (run === undefined) throw new TerminalError(`Run ${name} does not exist in namespace ${namespace}.`, 'NotFound');
  return json({ record: (await readRunRecord(session.api, run as PlanRun)) ?? null });
});
