import { findCataloguePackage } from '@/server/catalogue/find-package';
import { detailOf } from '@/server/catalogue/reader';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** One package with its objects. */
export const GET = route<{ name: string; version: string }>(async ({ params }) => {
  const { catalogue } = runtime();
  return json(await detailOf(await findCataloguePackage(catalogue, params), catalogue));
});
