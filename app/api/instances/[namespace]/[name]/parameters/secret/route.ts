import { json, route } from '@/server/http/route';
import { moveToSecret } from '@/server/parameters/move-to-secret';

/** Moves the values of secret parameters out of the Instance into its Secret: `{secret, moved}`. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params }) =>
  json(await moveToSecret(session.api, params)),
);
