import { findCataloguePackage } from '@/server/catalogue/find-package';
import { json, route } from '@/server/http/route';
import { packageFiles } from '@/server/packages/package-files';
import { runtime } from '@/server/runtime/runtime';

/** `{files: {path: text}}`: the YAML files of a package as they are written, for the workshop. */
export const GET = route<{ name: string; version: string }>(async ({ params }) => {
  const { loaded } = await findCataloguePackage(runtime().catalogue, params);
  return json({ files: Object.fromEntries(await packageFiles(loaded)) });
});
