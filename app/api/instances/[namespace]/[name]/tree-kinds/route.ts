import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { limits } from '@/lib/limits/limits';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

/** `?owner=UID&owner=…`: the custom kinds that the tree of an Instance has objects of. */
export const GET = route<{ namespace: string; name: string }>(async ({ resources, params, query }) => {
  const owners = query.getAll('owner');
  const { owners: most, uidChars } = limits.tree;
  if (owners.length > most) throw new Refusal(400, 'BadRequest', `Name at most ${most} owners, not ${owners.length}.`);
  if (owners.some((uid) => uid.length > uidChars))
    throw new Refusal(400, 'BadRequest', `The uid of an owner has at most ${uidChars} characters.`);
  const label = { name: INSTANCE_LABEL, value: params.name };
  return json(await resources.customKinds(params.namespace, { label, owners }));
});
