import type { Clock } from '@/lib/clock/clock';
import type { Api } from '@/server/kube/api';
import { installCrds } from '@/server/kube/install-crds';
import type { CatalogueEntry, PackageCatalogue } from '@/server/packages/catalogue';
import { install, installVersions } from '@/server/packages/install';
import { type PreparedInstall, prepareInstall } from '@/server/packages/prepare-install';

/** The namespace that a new sandbox shows. */
export const DEMO_NAMESPACE = 'demo';

/** Instances of the first start, each of the bundled package of the same name. */
const DEMO_INSTANCES = ['hello', 'postgres', 'etcd'] as const;

/** Says that the demo was set up once: what a person deleted then stays deleted. */
const MARKER = { name: 'bravo-sandbox', namespace: 'kube-system' } as const;
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;

export interface PrepareSandboxOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly catalogue: PackageCatalogue;
}

/**
 * Fills a new sandbox: CRDs, and the namespace `demo` with its Instances. Each step leaves what exists
 * alone and the marker comes last, so a start that was cut off is finished by the next.
 */
export async function prepareSandbox({ api, clock, catalogue }: PrepareSandboxOptions): Promise<void> {
  await installCrds(api, clock);
  if ((await api.get({ ...CONFIG_MAPS, ...MARKER })) !== undefined) return;
  const entries = await catalogue.list();
  for (const name of DEMO_INSTANCES)
    await installDemo(
      api,
      catalogue,
      entries.filter((entry) => entry.name === name),
    );
  const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...MARKER }, data: { demo: 'installed' } };
  await api.create({ ...CONFIG_MAPS, namespace: MARKER.namespace }, marker);
}

/** Of a package with several versions the oldest is installed and the newer ones are made known: there is an upgrade to try. */
async function installDemo(api: Api, catalogue: PackageCatalogue, versions: readonly CatalogueEntry[]): Promise<void> {
  const [oldest, ...newer] = [...versions].reverse();
  if (oldest === undefined) return;
  const prepared = await prepare(catalogue, oldest);
  await install(api, { prepared, createNamespace: true, existingInstance: 'keep' });
  for (const entry of newer) await installVersions(api, await prepare(catalogue, entry));
}

function prepare(catalogue: PackageCatalogue, { name, loaded }: CatalogueEntry): Promise<PreparedInstall> {
  const context = { catalogue, scope: loaded.scope };
  return prepareInstall({ loaded, context, namespace: DEMO_NAMESPACE, instance: name });
}
