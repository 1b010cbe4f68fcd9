import { changeVersion, parseVersionWish, previewVersionChange } from '@/server/catalogue/change-version';
import { withExecution } from '@/server/http/execution-header';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** Moves the Instance to the version that the body names, installing what is missing; with `?dryRun=true` only says what that does. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params, body, query, signal }) => {
  const { catalogue, clock } = runtime();
  const context = { api: session.api, catalogue, clock };
  const wish = parseVersionWish(body);
  if (query.get('dryRun') === 'true') return json(await previewVersionChange(context, params, wish));
  const changed = await changeVersion(context, params, wish, signal);
  return withExecution(json(changed), changed);
});
