import { findPackage } from '@/server/catalogue/find-package';
import { json, route } from '@/server/http/route';

/** One package with its objects. */
export const GET = route<{ name: string; version: string }>(async ({ params }) => json(await findPackage(params)));
