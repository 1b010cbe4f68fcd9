import { json, route } from '@/server/http/route';

/** Alive: the process answers. */
export const GET = route(() => json({ status: 'ok' }));
