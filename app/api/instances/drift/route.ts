import { json, route } from '@/server/http/route';
import { countDrift } from '@/server/instances/count-drift';

/** More than a screen has rows. */
const MOST = 60;

/** `?instance=namespace/name&instance=…`: how many objects of each are not as its last plans left them. At most 60 are checked. */
export const GET = route(async ({ session, query, signal }) =>
  json({ drifted: await countDrift(session.api, query.getAll('instance').slice(0, MOST), signal) }),
);
