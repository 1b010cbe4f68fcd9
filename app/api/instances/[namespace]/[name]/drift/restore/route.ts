import { json, route } from '@/server/http/route';
import { readTexts } from '@/server/instances/read-texts';
import { restoreObjects } from '@/server/instances/restore-objects';
import { runtime } from '@/server/runtime/runtime';

/** Puts back the objects that the body's `keys` name, or all that drifted without it. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params, body }) => {
  const { clock, log } = runtime();
  return json(await restoreObjects({ api: session.api, clock, log }, params, readTexts(body, 'keys')));
});
