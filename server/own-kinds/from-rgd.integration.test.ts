import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, isJsonObject, objectAt, stringAt } from '@/lib/json/json';
import { WEB_RGD } from '@/lib/kudo/rgd/rgd-fixture';
import { rgdToPackage } from '@/lib/kudo/rgd/rgd-to-package';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import { createNamespace, type Engine, eventually, startEngine } from '@/test/engine/https-engine';
import { packageOfFiles } from '@/test/operators/own-kinds-package';

const namespace = 'rgd';
const APPS = { group: 'demo.example.com', version: 'v1alpha1', resource: 'webapplications', namespace } as const;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ podDelayMs: 20 });
});
afterAll(() => engine?.stop());

describe('a package that was made of a ResourceGraphDefinition', () => {
  it('deploys what its resource asks for, and copies the status back', async () => {
    const { api } = engine;
    await createNamespace(api, namespace);
    // The resource with macros has no counterpart: without it the package is whole.
    const converted = rgdToPackage('web.yaml', WEB_RGD.slice(0, WEB_RGD.indexOf('    - id: strange')));
    if (!converted.ok) throw new Error(converted.problems.map(({ message }) => message).join('\n'));
    const loaded = packageOfFiles(converted.files);
    const context = { catalogue: new PackageCatalogue({ bundledDir: '/nowhere' }), scope: loaded.scope };
    const prepared = await prepareInstall({ loaded, context, namespace });
    await install(api, { prepared, skipInstance: true, ownCrds: 'install' });
    await eventually('the kind is served', async () => api.list(APPS).catch(() => undefined));
    await api.create(APPS, {
      apiVersion: 'demo.example.com/v1alpha1',
      kind: 'WebApplication',
      metadata: { name: 'shop', namespace },
      spec: { name: 'shop', replicas: 1 },
    });
    const app = () => api.get({ ...APPS, name: 'shop' });
    const settings = { group: '', version: 'v1', resource: 'configmaps', namespace };
    const metadata = { name: 'web-settings', namespace };
    await api.create(settings, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { level: 'debug' } });
    const status = await eventually('it is ready', async () => {
      const found = objectAt(await app(), 'status');
      return found.ready === true && stringAt(found, 'phase') === 'Running' ? found : undefined;
    });
    expect(status.summary).toBe('shop has 1 replicas');
    expect(status.nested).toEqual({ port: 80 });
    const deployments = { group: 'apps', version: 'v1', resource: 'deployments', namespace, name: 'shop' };
    const [container] = arrayAt((await api.get(deployments))?.spec, 'template', 'spec', 'containers').filter(
      isJsonObject,
    );
    expect(container?.env).toEqual([
      { name: 'ADDRESS', value: `http://${status.address}:80/shop` },
      { name: 'LEVEL', value: 'debug' },
      { name: 'MODE', value: 'one' },
    ]);
    const ingress = { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses', namespace, name: 'shop-svc' };
    expect(await api.get(ingress)).toBeUndefined();
    await api.patch({ ...APPS, name: 'shop' }, 'merge', {
      spec: { ingress: { enabled: true, host: 'shop.example.com' } },
    });
    const made = await eventually('the Ingress exists', () => api.get(ingress));
    expect(arrayAt(made?.spec, 'rules')).toMatchObject([{ host: 'shop.example.com' }]);
  });
});
