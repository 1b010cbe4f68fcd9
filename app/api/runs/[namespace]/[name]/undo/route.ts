import { withExecution } from '@/server/http/execution-header';
import { json, route } from '@/server/http/route';
import { parseUndo, previewUndo, undoRun } from '@/server/runs/undo-run';
import { runtime } from '@/server/runtime/runtime';

/** Undoes a run with the rights of the person: `{"reason"?, "preview"?, "confirm"?, "breakLock"?, "approval"?}`. With `?dryRun=true` only says what that would do. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params, query, body }) => {
  const wish = parseUndo(body);
  if (query.get('dryRun') === 'true') return json(await previewUndo(session.api, params, runtime().clock, wish));
  const undone = await undoRun(session.api, params, wish);
  return withExecution(json(undone, 202), undone);
});
