import { packageToObjects } from '@/lib/kudo/package/to-objects';
import { findCataloguePackage } from '@/server/catalogue/find-package';
import { parseInstallWish } from '@/server/catalogue/install-wish';
import { previewInstall } from '@/server/catalogue/preview';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** `{namespace, instance, parameters}`: every object of the deploy plan, by step. Changes nothing. */
export const POST = route<{ name: string; version: string }>(async ({ params, body, session }) => {
  const wish = parseInstallWish(body);
  const { catalogue, clock } = runtime();
  const { loaded } = await findCataloguePackage(catalogue, params);
  const { operatorVersion } = packageToObjects(loaded.package, { namespace: wish.namespace });
  return json(await previewInstall(operatorVersion, wish, { api: session.api, clock }));
});
