import { parseTopic } from '@/lib/live/topic';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

/** Rows of one answer: small enough that a page takes one in between two frames. */
const PAGE_ROWS = 500;

/** `?topic=core/v1/pods@demo&continue=`: a page of a list as the API prints it, without anything else of the objects. */
export const GET = route(async ({ resources, query }) => {
  const topic = parseTopic(query.get('topic') ?? '');
  if (topic === undefined)
    throw new Refusal(400, 'BadRequest', 'Say which list: topic is missing, as in core/v1/pods.');
  const page = { limit: PAGE_ROWS, continue: query.get('continue') || undefined };
  const { group, version, resource, namespace } = topic;
  return json({ table: await resources.table({ group, version, resource, namespace }, page) });
});
