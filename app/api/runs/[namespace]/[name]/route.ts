import { json, route } from '@/server/http/route';
import { parseSteerWish } from '@/server/runs/parse-steer-wish';
import { steerRun } from '@/server/runs/steer-run';

/** Steers a run with the rights of the person: `{"do": "pause" | "resume" | "cancel" | "skip" | "stop-after", …}`. */
export const PATCH = route<{ namespace: string; name: string }>(async ({ session, params, body }) => {
  await steerRun(session.api, params, parseSteerWish(body));
  return json({ steered: true });
});
