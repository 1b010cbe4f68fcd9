import { withExecution } from '@/server/http/execution-header';
import { json, route } from '@/server/http/route';
import { parseStart } from '@/server/instances/parse-edit';
import { previewPlan } from '@/server/instances/preview-plan';
import { triggerPlan } from '@/server/instances/trigger-plan';
import { runtime } from '@/server/runtime/runtime';

/** Starts a plan; answers with the UID of the run. With `?dryRun=true` only says what it would do. */
export const POST = route<{ namespace: string; name: string; plan: string }>(
  async ({ session, params, query, body }) => {
    const { namespace, name, plan } = params;
    const start = parseStart(body, plan);
    const { clock, random } = runtime();
    if (query.get('dryRun') === 'true') return json(await previewPlan(session.api, { namespace, name }, start, clock));
    const started = await triggerPlan(session.api, { namespace, name }, start, random);
    return withExecution(json(started, 202), started);
  },
);
