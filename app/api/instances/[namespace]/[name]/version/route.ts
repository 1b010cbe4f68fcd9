import { stringAt } from '@/lib/json/json';
import { json, route } from '@/server/http/route';
import { moveInstance } from '@/server/instances/move-instance';

/** Moves the Instance to the OperatorVersion that the body names. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params, body }) =>
  json(await moveInstance(session.api, params, stringAt(body, 'operatorVersion') ?? '')),
);
