import { limits } from '@/lib/limits/limits';
import { catalogueReader, summaryOf } from '@/server/catalogue/reader';
import { acceptPackage } from '@/server/catalogue/upload';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** The catalogue: packages, and files that are none. */
export const GET = route(async () => {
  const reader = catalogueReader(runtime().catalogue);
  return json({ packages: await reader.list(), broken: await reader.broken() });
});

/** Uploads a `.tgz` (the body): verified first, refused with file and line. */
export const POST = route(
  async ({ bytes }) => json({ package: summaryOf(await acceptPackage(runtime().catalogue, bytes)) }, 201),
  {
    contentTypes: ['application/gzip', 'application/x-gzip', 'application/octet-stream'],
    maxBodyBytes: limits.packageArchiveBytes,
  },
);
