import { json, route } from '@/server/http/route';
import { explainStep } from '@/server/instances/explain-step';

/** Why the step that `?plan=&phase=&step=` names does not end; without a plan, why the Instance is not ready. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params, query, signal }) => {
  const plan = query.get('plan');
  const place = plan === null ? undefined : { plan, phase: query.get('phase') ?? '', step: query.get('step') ?? '' };
  return json(await explainStep(session.api, params, place, { signal }));
});
