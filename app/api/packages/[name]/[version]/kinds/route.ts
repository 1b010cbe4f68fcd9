import { findCataloguePackage } from '@/server/catalogue/find-package';
import { json, route } from '@/server/http/route';
import { judgeCrds } from '@/server/packages/judge-crds';
import { prepareInstall } from '@/server/packages/prepare-install';
import { runtime } from '@/server/runtime/runtime';

/** What an install would do with the CRD of each kind that the package and its dependencies bring. */
export const GET = route<{ name: string; version: string }>(async ({ params, session, signal }) => {
  const { catalogue } = runtime();
  const { loaded } = await findCataloguePackage(catalogue, params);
  const { crds } = await prepareInstall({ loaded, context: { catalogue, scope: loaded.scope }, namespace: 'default' });
  return json({ kinds: await judgeCrds(session.api, crds, signal) });
});
