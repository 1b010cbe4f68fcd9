import { json, route } from '@/server/http/route';
import { readRoles } from '@/server/rights/read-roles';

/** `?namespace=`: who may do what with operators, from the roles and bindings that the person may read. */
export const GET = route(async ({ session, query, signal }) =>
  json(await readRoles(session.api, query.get('namespace') || undefined, signal)),
);
