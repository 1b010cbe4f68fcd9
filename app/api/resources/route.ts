import { json, route } from '@/server/http/route';

/** Every kind that can be listed. */
export const GET = route(async ({ resources }) => json({ kinds: await resources.kinds() }));
