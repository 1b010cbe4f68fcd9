import { debugContainerPatch, readDebugContainer } from '@/lib/kube/pods/debug-container';
import { topics } from '@/lib/live/topic';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

interface Params {
  readonly namespace: string;
  readonly name: string;
}

/** Adds a debug container to a pod, with the person's own permissions. */
export const POST = route<Params>(async ({ session, params, body }) => {
  const wanted = readDebugContainer(body);
  if (typeof wanted === 'string') throw new Refusal(400, 'BadRequest', wanted);
  const target = { ...topics.pods(params.namespace), name: params.name };
  const options = { subresource: 'ephemeralcontainers', fieldManager: 'bravo-console' };
  await session.api.patch(target, 'strategic', debugContainerPatch(wanted), options);
  return json({ name: wanted.name }, 201);
});
