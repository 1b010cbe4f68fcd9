import { json, route } from '@/server/http/route';

/** `?namespace=`: how many objects of each kind there are, by `plural.group`. */
export const GET = route(async ({ resources, query }) =>
  json({ counts: await resources.counts(query.get('namespace') || undefined) }),
);
