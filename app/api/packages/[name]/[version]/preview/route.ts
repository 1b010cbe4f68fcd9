import { packageToObjects } from '@/lib/kudo/package/to-objects';
import { parseInstallTarget } from '@/server/catalogue/install-target';
import { previewInstall } from '@/server/catalogue/preview';
import { requirePackage } from '@/server/catalogue/require-package';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** `{namespace, instance, parameters}`: every object of the deploy plan, by step. Changes nothing. */
export const POST = route<{ name: string; version: string }>(async ({ params, body, session }) => {
  const wish = parseInstallTarget(body);
  const { catalogue, clock } = runtime();
  const { loaded } = await requirePackage(catalogue, params);
  const { operatorVersion } = packageToObjects(loaded.package, { namespace: wish.namespace });
  return json(await previewInstall(operatorVersion, wish, { api: session.api, clock }));
});
