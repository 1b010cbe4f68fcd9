import { withExecution } from '@/server/http/execution-header';
import { json, route } from '@/server/http/route';
import { changeParameters } from '@/server/instances/change-parameters';
import { parseEdit } from '@/server/instances/parse-edit';
import { previewEdit } from '@/server/instances/preview-edit';
import { runtime } from '@/server/runtime/runtime';

/** Stores an edit of parameters; with `?dryRun=true` only says what it would do. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params, query, body }) => {
  const edit = parseEdit(body);
  if (query.get('dryRun') === 'true') return json(await previewEdit(session.api, params, edit, runtime().clock));
  const changed = await changeParameters(session.api, params, edit);
  return withExecution(json(changed), changed);
});
