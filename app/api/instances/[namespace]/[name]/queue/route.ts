import { json, route } from '@/server/http/route';
import { changeQueue, parseQueueWish } from '@/server/instances/change-queue';

/** Changes the queue of an Instance with the rights of the person: `{"do": "move" | "remove", "plan", "to"?}`. */
export const PATCH = route<{ namespace: string; name: string }>(async ({ session, params, body }) => {
  await changeQueue(session.api, params, parseQueueWish(body));
  return json({ changed: true });
});
