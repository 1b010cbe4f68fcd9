import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '@/lib/kube/object';
import { type Bench, errorsOf, startBench } from './bench-fixture';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

const STEP = 'apiVersion: kuttl.dev/v1beta1\nkind: TestStep\n';
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' } as const;
const MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;
const map = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\n`;

const POND = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ponds.lab.example.org}
spec:
  group: lab.example.org
  scope: Namespaced
  names: {kind: Pond, plural: ponds}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

const namespace = (name: string) => bench.api.get({ ...NAMESPACES, name });
const kuttlNamespaces = async () =>
  (await bench.api.list(NAMESPACES)).items.map(nameOf).filter((name) => name.startsWith('kuttl-'));
const make = (name: string) =>
  bench.api.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** Lets the user `plain` do everything in one namespace, and nothing with namespaces. */
async function allowInside(name: string): Promise<void> {
  const subject = { kind: 'User', name: 'plain', apiGroup: 'rbac.authorization.k8s.io' };
  await bench.api.create(
    { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'rolebindings', namespace: name },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'plain', namespace: name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
      subjects: [subject],
    },
  );
}

/** Lets the user `plain` read namespaces. */
async function allowReading(): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const role = { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name: 'reader' } };
  await bench.api.create(
    { group, version: 'v1', resource: 'clusterroles' },
    { ...role, rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }] },
  );
  await bench.api.create(
    { group, version: 'v1', resource: 'clusterrolebindings' },
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reader' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'User', name: 'plain', apiGroup: group }],
    },
  );
}

describe('the namespace of a case', () => {
  it('HAR-063: one of its own that exists is kept, with what the case did not create', async () => {
    await make('kept');
    const run = await bench.run({ 'case/0-a.yaml': map('m') }, { set: { namespace: 'kept' } });
    expect([errorsOf(run), (await namespace('kept')) !== undefined]).toEqual([[], true]);
    expect(await bench.api.get({ ...MAPS, namespace: 'kept', name: 'm' })).toBeUndefined();
  });

  it('HAR-063: one that does not exist is created and deleted', async () => {
    const run = await bench.run({ 'case/0-a.yaml': map('m') }, { set: { namespace: 'made' } });
    expect(run.log).toContain('case | Namespace:made created');
    expect([errorsOf(run), await namespace('made')]).toEqual([[], undefined]);
  });

  it('HAR-064, HAR-065: without the permission to create it, it has to exist', async () => {
    await make('given');
    await allowInside('given');
    const unknown = await bench.run({ 'case/0-a.yaml': map('m') }, { as: 'plain', set: { namespace: 'given' } });
    expect(errorsOf(unknown)).toEqual([]);
    await allowReading();
    const absent = await bench.run({ 'case/0-a.yaml': map('m') }, { as: 'plain', set: { namespace: 'absent' } });
    expect(errorsOf(absent)[1]).toContain('cannot create namespace "absent": ');
    const given = await bench.run({ 'case/0-a.yaml': map('m') }, { as: 'plain', set: { namespace: 'given' } });
    expect([errorsOf(given), (await namespace('given')) !== undefined]).toEqual([[], true]);
  });

  it('HAR-066: without a name, each case has one of its own, which is deleted at the end', async () => {
    const run = await bench.run({ 'a/0-a.yaml': map('m'), 'b/0-a.yaml': map('m') });
    const made = run.log.flatMap((line) => /Namespace:(kuttl-[a-z]+-[a-z]+-[a-z0-9]{4}) created/.exec(line)?.[1] ?? []);
    expect(new Set(made).size).toBe(2);
    expect(await kuttlNamespaces()).toEqual([]);
  });

  it('keeps objects and namespace with skipDelete', async () => {
    await bench.run({ 'case/0-a.yaml': map('m') }, { set: { namespace: 'left', skipDelete: true } });
    expect(await bench.api.get({ ...MAPS, namespace: 'left', name: 'm' })).toBeDefined();
  });

  it('HAR-067: an explicit namespace is kept, an absent one set, a cluster-scoped object untouched', async () => {
    await make('elsewhere');
    const role =
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: of-the-case}\nrules: []\n';
    const run = await bench.run({
      'case/0-a.yaml': [map('here'), map('there', ', namespace: elsewhere'), role].join('---\n'),
    });
    const created = run.log.flatMap((line) => /\| ((?:ConfigMap|ClusterRole):\S+) created/.exec(line)?.[1] ?? []);
    expect(created).toEqual([
      expect.stringMatching(/^ConfigMap:kuttl-.*\/here$/),
      'ConfigMap:elsewhere/there',
      'ClusterRole:of-the-case',
    ]);
    expect(await bench.api.get({ ...MAPS, namespace: 'elsewhere', name: 'there' })).toBeUndefined();
  });

  it('HAR-077: the pattern is a regular expression on names', async () => {
    const files = { 'install/0-a.yaml': STEP, 'uninstall/0-a.yaml': STEP, 'upgrade/0-a.yaml': STEP };
    const run = await bench.run(files, { pattern: 'inst' });
    expect(run.cases.map(({ name }) => name)).toEqual(['install', 'uninstall']);
    await expect(bench.run(files, { pattern: '(' })).rejects.toThrow('--test (: error parsing regexp');
  });

  it('HAR-078: a failed suite command ends the run before the cases', async () => {
    const command = { command: 'false', script: '', namespaced: false, ignoreFailure: false };
    const failing = { ...command, background: false, skipLogOutput: false, timeout: 0 };
    const { run, cases } = await bench.run({ 'case/0-a.yaml': STEP }, { set: { commands: [failing] } });
    expect([cases, run.setupFailure]).toEqual([[], 'command "false" failed, exit status 1']);
  });

  it('HAR-079: a lazy kubeconfig may be made by an earlier step, an eager one must exist', async () => {
    const make = `${STEP}commands:\n- script: cp $KUBECONFIG made.yaml\n`;
    const use = (loading: string) => `${STEP}kubeconfig: made.yaml\nkubeconfigLoading: ${loading}\n---\n${map('m')}`;
    const lazy = await bench.run({ 'case/0-a.yaml': make, 'case/1-b.yaml': use('Lazy') });
    expect(errorsOf(lazy)).toEqual([]);
    const eager = await bench.run({ 'case/0-a.yaml': make, 'case/1-b.yaml': use('Eager') });
    expect(errorsOf(eager)[0]).toBe('failed in setup');
    const other = await bench.run({ 'case/0-a.yaml': use('Soon') });
    expect(errorsOf(other)[1]).toContain(`attribute 'kubeconfigLoading' has invalid value "Soon"`);
  });

  it('applies CRDs, manifests and nothing else before the cases', async () => {
    const run = await bench.run(
      {
        'case/0-a.yaml': 'apiVersion: lab.example.org/v1\nkind: Pond\nmetadata: {name: p}\n',
        'crds/x.yaml': `${POND}---\n${map('other')}`,
        'more/a.yml': map('m'),
      },
      { pattern: '^case$', set: { crdDir: 'crds', manifestDirs: ['more'] } },
    );
    expect(errorsOf(run)).toEqual([]);
    expect(await bench.api.get({ ...MAPS, namespace: 'default', name: 'm' })).toBeDefined();
    expect(run.log.some((line) => /Skipping ConfigMap:other of .*crds.x.yaml: not a CRD$/.test(line))).toBe(true);
  });
});
