import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INSTANCES_CRD, LEASE_NAMESPACE } from '@/lib/kudo/installation/names';
import type { Api } from '@/server/kube/api';
import { CRDS } from '@/server/kube/install-crds';
import { RightsBench } from '@/test/engine/rights-bench';
import { pondWithKinds } from '@/test/operators/own-kinds-package';
import { PackageCatalogue } from './catalogue';
import { type InstallOptions, type InstallStep, installVersions } from './install';
import { judgeCrds } from './judge-crds';
import { prepareInstall } from './prepare-install';

const ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' } as const;
const BINDINGS = { ...ROLES, resource: 'clusterrolebindings' } as const;
const NAME = 'bravo-kinds-pond';

describe('the CRDs of an operator are installed with the rights of the person', () => {
  let bench: RightsBench;
  beforeEach(async () => {
    bench = await RightsBench.start();
    const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    await bench.run(bench.admin.create(namespaces, namespace));
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'jo', namespace: 'shop' },
    };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'shop-operators' };
    const rules = [{ apiGroups: ['kudo.dev'], resources: ['*'], verbs: ['*'] }];
    await bench.run(
      bench.admin.create(ROLES, { ...role, kind: 'ClusterRole', metadata: { name: 'shop-operators' }, rules }),
    );
    const subjects = [{ kind: 'User', name: 'jo', apiGroup: 'rbac.authorization.k8s.io' }];
    await bench.run(
      bench.admin.create({ ...BINDINGS, resource: 'rolebindings', namespace: 'shop' }, { ...role, roleRef, subjects }),
    );
  });
  afterEach(() => bench.stop());

  async function installAs(api: Api, ownCrds: InstallOptions['ownCrds'] = 'install'): Promise<string[]> {
    const loaded = pondWithKinds();
    const context = { catalogue: new PackageCatalogue({ bundledDir: '/nowhere' }), scope: loaded.scope };
    const prepared = await prepareInstall({ loaded, context, namespace: 'shop' });
    const steps: InstallStep[] = [];
    await bench.run(installVersions(api, prepared, { ownCrds, onStep: (step) => steps.push(step) }));
    return steps.map(({ did, kind, name }) => `${kind} ${name} ${did}`);
  }

  it('who may not is told what to ask for, and nothing is written', async () => {
    const jo = bench.apiOf('jo');
    await expect(installAs(jo)).rejects.toThrow(
      /CRD ponds\.pond\.example\.com, a kind of operator pond, cannot be installed: .* right to get, create and patch customresourcedefinitions/,
    );
    const operators = await bench.run(
      bench.admin.list({ group: 'kudo.dev', version: 'v1beta1', resource: 'operators' }),
    );
    expect(operators.items).toEqual([]);
  });

  it('an operator can be installed without its kinds, and an upgrade goes on without them', async () => {
    const jo = bench.apiOf('jo');
    expect(await installAs(jo, 'skip')).toEqual(['Operator pond created', 'OperatorVersion pond-0.1.0 created']);
    expect(await installAs(jo, 'try')).toEqual([
      ...['ponds', 'feeds', 'drains'].map((kind) => `CustomResourceDefinition ${kind}.pond.example.com refused`),
      'Operator pond found',
      'OperatorVersion pond-0.1.0 found',
    ]);
  });

  it('kinds that an administrator installed need no right', async () => {
    expect(await installAs(bench.admin)).toContain('CustomResourceDefinition ponds.pond.example.com created');
    expect(await installAs(bench.apiOf('jo'))).toContain('CustomResourceDefinition ponds.pond.example.com found');
  });

  it('a CRD of somebody else is shown with its owner and what changes, and only the named one is adopted', async () => {
    await installAs(bench.admin);
    const name = 'feeds.pond.example.com';
    const labels = { 'bravo.kudo.dev/operator': null };
    const annotations = { 'meta.helm.sh/release-name': 'fish' };
    await bench.run(
      bench.admin.patch({ ...CRDS, name }, 'merge', {
        metadata: { labels, annotations },
        spec: { names: { categories: ['all'] } },
      }),
    );
    const loaded = pondWithKinds();
    const context = { catalogue: new PackageCatalogue({ bundledDir: '/nowhere' }), scope: loaded.scope };
    const prepared = await prepareInstall({ loaded, context, namespace: 'shop' });
    const found = await bench.run(judgeCrds(bench.admin, prepared.crds));
    expect(found.map(({ kind, do: verdict }) => [kind, verdict])).toEqual([
      ['Pond', 'keep'],
      ['Feed', 'adopt'],
      ['Drain', 'keep'],
    ]);
    expect(found[1]?.owner[0]).toBe('Helm release fish');
    expect(found[1]?.changes).toEqual(['names.categories becomes empty, and was all']);
    const unread = await bench.run(judgeCrds(bench.apiOf('jo'), prepared.crds));
    expect(unread.map((each) => each.do)).toEqual(['unknown', 'unknown', 'unknown']);

    const install = (adoptCrds: readonly string[]) => bench.run(installVersions(bench.admin, prepared, { adoptCrds }));
    await expect(install(['ponds.pond.example.com'])).rejects.toThrow('was not made by Bravo');
    await install([name]);
    const after = await bench.run(bench.admin.get({ ...CRDS, name }));
    expect(after?.metadata.labels).toEqual({ 'bravo.kudo.dev/operator': 'pond' });
  });

  it('the controller of an installation may act on the kinds, and on nothing more', async () => {
    const metadata = { annotations: { [LEASE_NAMESPACE]: 'kudo-system' } };
    await bench.run(bench.admin.patch({ ...CRDS, name: INSTANCES_CRD }, 'merge', { metadata }));
    expect(await installAs(bench.admin)).toContain(`ClusterRoleBinding ${NAME} created`);
    const role = await bench.run(bench.admin.get({ ...ROLES, name: NAME }));
    expect(role?.rules).toContainEqual({
      apiGroups: ['pond.example.com'],
      resources: ['ponds'],
      verbs: ['get', 'list', 'watch', 'update', 'patch'],
    });
    expect(JSON.stringify(role)).not.toMatch(/create|delete|"\*"/);
    const binding = await bench.run(bench.admin.get({ ...BINDINGS, name: NAME }));
    expect(binding?.subjects).toEqual([{ kind: 'ServiceAccount', name: 'kudo-manager', namespace: 'kudo-system' }]);
  });
});
