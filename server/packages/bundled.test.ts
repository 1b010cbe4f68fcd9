import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { renderPlan } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { parseParameterChecks } from '@/lib/kudo/verify/parameter-checks';
import { verifyPackage } from '@/lib/kudo/verify/verify';
import { seededRandom } from '@/lib/random/random';
import { sharedPath } from '@/test/golden/shared-path';
import { PackageCatalogue } from './catalogue';
import { loadPackage } from './loaded-package';
import { prepareInstall } from './prepare-install';

const bundledDir = fileURLToPath(new URL('../../operators', import.meta.url));
const catalogue = new PackageCatalogue({ bundledDir });
const entries = await catalogue.list();

describe('bundled packages', () => {
  it('are found, in the versions that an upgrade can go through, and none is broken', async () => {
    expect(entries.map((entry) => `${entry.name} ${entry.appVersion} ${entry.operatorVersion}`)).toEqual([
      'etcd 3.5.21 1.2.0',
      'etcd 3.5.21 1.1.0',
      'etcd 3.5.16 1.0.0',
      'hello 1.37.0 1.0.0',
      'mariadb 11.8.3 1.1.0',
      'mariadb 10.11.14 1.0.0',
      'postgres 16.9 1.1.0',
      'postgres 16.8 1.0.0',
      'rabbitmq 4.0.9 1.1.0',
      'rabbitmq 4.0.5 1.0.0',
      'valkey 8.1.1 1.1.0',
      'valkey 8.0.3 1.0.0',
    ]);
    expect(await catalogue.broken()).toEqual([]);
  });

  it.each(entries)('$name $operatorVersion passes every check, also those of its descriptions', ({ loaded }) => {
    const found = verifyPackage(loaded.package, { before: loaded.warnings, checks: parseParameterChecks('all') });
    expect(found).toEqual({ errors: [], warnings: [] });
  });

  it.each(entries)('$name $operatorVersion renders every plan with its defaults', async ({ loaded }) => {
    const prepared = await prepareInstall({
      loaded,
      context: { catalogue, scope: loaded.scope },
      namespace: 'n',
      instance: 'i',
    });
    expect(prepared.missing).toEqual([]);
    const { operatorVersion, instance } = prepared;
    const parameters = unwrapParameters(operatorVersion, instance.spec?.parameters);
    for (const plan of Object.keys(operatorVersion.spec?.plans ?? {})) {
      const tasks = renderPlan({
        operatorVersion,
        instance,
        plan,
        uid: 'u',
        parameters,
        scopeOf: () => 'namespaced',
        environment: { clock: { now: () => 0 }, random: seededRandom('bundled') },
      });
      expect(tasks.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(tasks.length).toBeGreaterThan(0);
      const images = JSON.stringify(tasks).matchAll(/"image":"([^"]*)"/g);
      for (const [, image] of images) expect(image, 'an image with a tag').toMatch(/\w:\w[\w.-]*$/);
    }
  });

  it('of postgres run the same scripts in both versions', () => {
    const scripts = entries.filter(({ name }) => name === 'postgres').map(({ loaded }) => loaded.package.templates);
    expect(scripts.map((templates) => templates.get('scripts.yaml'))).toEqual(
      scripts.map(() => scripts[0]?.get('scripts.yaml')),
    );
  });

  it('have a parameter of every type, and their pods run without privileges', () => {
    for (const { loaded } of entries) {
      const types = new Set(loaded.package.parameters.map(({ type }) => type));
      expect([...types].sort()).toEqual(['array', 'boolean', 'integer', 'map', 'number', 'string']);
      for (const [key, text] of loaded.package.templates) {
        if (!text.includes('containers:') && !text.includes('initContainers:')) continue;
        expect(text, key).toContain('runAsNonRoot: true');
        expect(text, key).toContain('allowPrivilegeEscalation: false');
        expect(text, key).toMatch(/requests:/);
      }
    }
  });
});

const NAMES = ['cowsay', 'first-operator', 'kafka', 'mysql', 'redis', 'zookeeper'];

describe.skipIf(sharedPath('operators/mysql') === undefined)('published packages of KUDO (needs ../shared)', () => {
  it.each(NAMES)('%s has no errors, and warnings for manifests in removed API versions', async (name) => {
    const loaded = await loadPackage(sharedPath(`operators/${name}`) ?? '');
    const { errors, warnings } = verifyPackage(loaded.package);
    expect(errors).toEqual([]);
    const hasBudget = ['kafka', 'redis', 'zookeeper'].includes(name);
    expect(warnings.some(({ message }) => message.includes('policy/v1beta1'))).toBe(hasBudget);
  });
});
