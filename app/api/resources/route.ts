import { json, route } from '@/server/http/route';

/** Every kind that can be listed, and the groups whose kinds are not known now. */
export const GET = route(async ({ resources }) => json({ ...(await resources.served()) }));
