import { anonymousRoute, json } from '@/server/http/route';

/** Alive: the process answers. */
export const GET = anonymousRoute(() => json({ status: 'ok' }));
