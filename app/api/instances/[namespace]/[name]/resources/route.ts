import { json, route } from '@/server/http/route';
import { ownedObjects } from '@/server/instances/owned-objects';

/** The objects that carry the Instance's label, with their health. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params, signal }) =>
  json(await ownedObjects(session.api, params, signal)),
);
