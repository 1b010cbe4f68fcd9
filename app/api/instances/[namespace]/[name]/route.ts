import { stringAt } from '@/lib/json/json';
import { topics } from '@/lib/live/topic';
import { json, route } from '@/server/http/route';
import type { InstanceKey } from '@/server/instances/read-instance';

/** Deletes the Instance that the body's `uid` names; its cleanup plan runs first. */
export const DELETE = route<InstanceKeyParams>(async ({ session, params, body, signal }) => {
  const uid = stringAt(body, 'uid');
  const target = { ...topics.instances, namespace: params.namespace, name: params.name };
  const deleted = await session.api.delete(target, { propagation: 'Background', uid, signal });
  return json({ deleted: deleted !== undefined });
});

type InstanceKeyParams = { [key in keyof InstanceKey]: string };
