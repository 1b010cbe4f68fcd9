import { json, route } from '@/server/http/route';
import { readCapacity } from '@/server/resources/read-capacity';

export const dynamic = 'force-dynamic';

/** What the Nodes can allocate and what the pods request; `capacity` is absent in a cluster with too many pods to add up. */
export const GET = route(async ({ session, signal }) => json({ capacity: await readCapacity(session.api, signal) }));
