import { kubeBodies, proxyToKube } from '@/server/http/proxy';
import { route } from '@/server/http/route';

export const GET = route(proxyToKube, kubeBodies);
export const HEAD = route(proxyToKube, kubeBodies);
export const POST = route(proxyToKube, kubeBodies);
export const PUT = route(proxyToKube, kubeBodies);
export const PATCH = route(proxyToKube, kubeBodies);
export const DELETE = route(proxyToKube, kubeBodies);
