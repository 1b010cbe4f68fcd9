import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arrayAt, getAt, stringAt } from '@/lib/json/json';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { projectRoot } from '@/test/programs/process';

const folder = join(projectRoot, 'e2e/compat/packages');

/** Packages with what operators of the years 2019 to 2021 contain. */
describe('an old package', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'field');
    await engine.startController();
  });
  afterEach(() => engine?.stop());

  const begin = async (name: string, parameters: { [name: string]: string } = {}) => {
    const loaded = await loadPackage(join(folder, name, 'operator'));
    const context = {
      catalogue: new PackageCatalogue({ bundledDir: join(projectRoot, 'operators') }),
      scope: loaded.scope,
    };
    const prepared = await prepareInstall({ loaded, context, namespace: 'field', instance: 'app', parameters });
    await engine.run(install(engine.people, { prepared }));
  };

  it('with removed API versions deploys, is edited and cleans up', async () => {
    await begin('relics');
    await lab.ends('app', 'deploy');
    expect(lab.instance('app').spec?.operatorVersion?.name).toBe('relics-5.7-0.1');
    await lab.edit('app', { parameters: { REPLICAS: '2', HOSTS: '["three.example.org"]' } }, 'deploy');
    expect(getAt(lab.find('deployments', 'app-web')?.spec, 'replicas')).toBe(2);
    await lab.remove('instances', 'app');
    await engine.until('the Instance is deleted', () => lab.find('instances', 'app') === undefined);
    expect(lab.find('deployments', 'app-web')).toBeUndefined();
  });

  it('with large templates renders as with Go, and its YAML is read as Kubernetes reads it', async () => {
    await begin('wide');
    await lab.ends('app', 'deploy');
    const set = lab.find('statefulsets', 'app-node');
    const pod = getAt(set?.spec, 'template', 'spec');
    const [container] = arrayAt(pod, 'containers');
    expect(container).toMatchObject({
      args: ['/scripts/start.sh;\nexport=yes\nexec wide -f'],
      resources: { requests: { cpu: '100m', memory: '2Gi' }, limits: { cpu: '1', memory: '2Gi' } },
    });
    // `yes` is a boolean and 0755 an octal number in the YAML that Kubernetes reads.
    expect(arrayAt(container, 'volumeMounts')[1]).toMatchObject({ readOnly: true });
    expect(arrayAt(pod, 'volumes')[0]).toMatchObject({ configMap: { defaultMode: 0o755 } });
    expect(lab.find('configmaps', 'app-config')?.data).toMatchObject({ 'empty.conf': '', 'on.conf': 'on' });
    expect(script()).toContain('SEEDS="app-node-0.app-svc,app-node-1.app-svc"\n');
    expect(script()).toContain('---- not a document ----');
    const secret = lab.find('secrets', 'app-credentials')?.data;
    expect(secret).toEqual({ user: btoa('admin'), password: btoa('change me') });
  });

  it('with large templates is written once, and an edit of one object writes only that object', async () => {
    await begin('wide');
    await lab.ends('app', 'deploy');
    // The manifests that the controller keeps are in a Secret of its own.
    const patched = () =>
      engine.calls
        .filter(({ method, path }) => method === 'PATCH' && !path.includes('.bravo-objects'))
        .map(({ path }) => path.split('/').at(-1));
    expect(patched()).toEqual([]);
    await lab.edit('app', { parameters: { EXPORTER: '' } }, 'deploy');
    expect(patched()).toEqual(['app-node']);
  });

  it('with large templates runs its other plans, and names the kind that the cluster does not have', async () => {
    await begin('wide');
    await lab.ends('app', 'deploy');
    await lab.edit('app', { parameters: { REPAIR_POD: 'app-node-0' } }, 'repair');
    expect(JSON.stringify(lab.find('jobs', 'app-repair')?.spec)).toContain('wide exec app-node-0');
    const rows = {
      TOPOLOGY: '[{name: a, nodes: 2}, {name: b, nodes: 1}]',
      TOLERATIONS: '[{key: x, operator: Exists}]',
    };
    await lab.edit('app', { parameters: rows }, 'deploy');
    expect(script()).toContain('SEEDS="app-a-0.app-svc,app-a-1.app-svc,app-b-0.app-svc"\n');
    expect(getAt(lab.find('statefulsets', 'app-a')?.spec, 'template', 'spec', 'tolerations')).toHaveLength(1);
    const failed = await lab.edit('app', { parameters: { MONITOR: 'true' } }, 'deploy', { status: 'FATAL_ERROR' });
    expect(JSON.stringify(failed.status?.planStatus?.deploy)).toContain(
      'the cluster does not know the kind ServiceMonitor in monitoring.coreos.com/v1',
    );
  });

  const script = () => stringAt(lab.find('configmaps', 'app-config')?.data, 'start.sh');
});
