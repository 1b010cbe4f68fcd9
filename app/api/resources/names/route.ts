import { json, route } from '@/server/http/route';

/** `?namespace=`: the names of the objects of all kinds that the person may list, within limits. */
export const GET = route(async ({ resources, query }) =>
  json(await resources.names(query.get('namespace') || undefined)),
);
