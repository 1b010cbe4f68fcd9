import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bravoCrds } from '@/lib/kudo/crds/crds';
import { CONFIGURATION_NAME, CONFIGURATIONS, webhookEntry } from '@/server/webhook/registration';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

const kindsOf = (json: string): string[] =>
  JSON.parse(json).map(
    ({ kind, metadata }: { kind: string; metadata: { name: string } }) => `${kind} ${metadata.name}`,
  );

/** The StatefulSet that `kubectl kudo init` installs. */
function kudoManager() {
  const labels = { app: 'kudo-manager', 'control-plane': 'controller-manager' };
  const container = { name: 'manager', image: 'kudobuilder/controller:v0.19.0', command: ['/root/manager'] };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'kudo-controller-manager', namespace: 'kudo-system', labels },
    spec: {
      serviceName: 'kudo-controller-manager-service',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

describe('init', () => {
  let engine: Engine;
  let folder: string;
  const init = (...words: string[]) =>
    runBravo('init', ...words, '--home', join(folder, 'home'), '--kubeconfig', join(folder, 'kubeconfig'));
  const image = async () => {
    const place = { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'kudo-system' };
    const found = await engine.api.get({ ...place, name: 'kudo-controller-manager' });
    const spec = found?.spec as { template: { spec: { containers: { image: string }[] } } } | undefined;
    return spec?.template.spec.containers[0]?.image;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-init-'));
    engine = await startEngine();
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    await createNamespace(engine.api, 'own');
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    [['x'], 'this command does not accept arguments'],
    [['-i', 'a', '--version', 'b'], "specify either 'kudo-image' or 'version', not both"],
    [['-c', '-w'], 'you cannot use image, version, output, crd-only and wait flags with client-only option'],
    [['--crd-only', '-w'], 'wait is not allowed with crd-only'],
    [['--wait-timeout', '5'], "wait-timeout is only useful when using the flag '--wait'"],
    [['--upgrade', '--verify'], "'--upgrade' and '--verify' can not be used at the same time"],
    [['--verify', '--dry-run'], "'--dry-run' and '--verify' can not be used at the same time"],
    [['--crd-only', '--upgrade'], 'you can not upgrade *only* crds'],
    [['-o', 'xml'], "invalid output format, only support 'yaml' or 'json' or empty"],
    [['--kudo-image-pull-policy', 'Maybe'], "unknown image pull policy Maybe, must be one of 'Always'"],
  ])('CLI-068 CLI-010 %j is refused', async (words, message) => {
    const { err, code } = await init(...words);
    expect([code, err.includes(message)]).toEqual([255, true]);
  });

  it('CLI-070 (differs) a dry run prints the manifests, and contacts no cluster', async () => {
    const words = ['init', '--dry-run', '-o', 'json', '--version', 'dev', '--kubeconfig', '/none'];
    const { out, code } = await runBravo(...words);
    expect(code).toBe(0);
    expect(kindsOf(out)).toEqual([
      'CustomResourceDefinition operators.kudo.dev',
      'CustomResourceDefinition operatorversions.kudo.dev',
      'CustomResourceDefinition instances.kudo.dev',
      'CustomResourceDefinition planruns.bravo.kudo.dev',
      'CustomResourceDefinition planschedules.bravo.kudo.dev',
      'CustomResourceDefinition planapprovals.bravo.kudo.dev',
      'CustomResourceDefinition operatorupgrades.bravo.kudo.dev',
      'CustomResourceDefinition operatorsubscriptions.bravo.kudo.dev',
      'Namespace kudo-system',
      'ClusterRole bravo-viewer',
      'ClusterRole bravo-user',
      'ClusterRole bravo-admin',
      'ServiceAccount kudo-manager',
      'ClusterRole bravo-controller',
      'ClusterRoleBinding bravo-controller',
      'Role bravo-controller-home',
      'RoleBinding bravo-controller-home',
      'Role bravo-controller-former',
      'RoleBinding bravo-controller-former',
      'Service kudo-controller-manager-service',
      'PodDisruptionBudget kudo-controller-manager',
      'NetworkPolicy kudo-controller-manager',
      'Deployment kudo-controller-manager',
    ]);
    expect(out).toContain('"image": "bravo:vdev"');
    const yaml = (await init('--dry-run', '-o', 'yaml', '--crd-only')).out;
    expect(yaml.match(/^---\napiVersion: apiextensions.k8s.io\/v1$/gm)).toHaveLength(bravoCrds().length + 3);
    expect(yaml).toMatch(/\n\.\.\.\n$/);
  });

  it('CLI-071 CLI-072 objects go into the given namespace, and a custom service account is not created', async () => {
    const { out } = await init('--dry-run', '-o', 'json', '-n', 'foo', '--service-account', 'safoo');
    expect(kindsOf(out).slice(bravoCrds().length + 3)).toEqual([
      'ClusterRole bravo-viewer',
      'ClusterRole bravo-user',
      'ClusterRole bravo-admin',
      'Service kudo-controller-manager-service',
      'PodDisruptionBudget kudo-controller-manager',
      'NetworkPolicy kudo-controller-manager',
      'Deployment kudo-controller-manager',
    ]);
    expect(out).toContain('"serviceAccountName": "safoo"');
    expect(out).not.toContain('kudo-system');
  });

  it('CLI-073 CLI-075 a custom namespace and service account must exist, and the account must be cluster-admin', async () => {
    const missing = await init('-n', 'none');
    expect(missing.err).toContain('Namespace none does not exist - KUDO expects that any namespace except');
    expect(missing.err).toContain('Error: failed to verify installation requirements');
    const own = () => init('-n', 'own', '--service-account', 'sa');
    expect((await own()).err).toContain('Service Account sa does not exists');
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa', namespace: 'own' } };
    await engine.api.create({ group: '', version: 'v1', resource: 'serviceaccounts', namespace: 'own' }, account);
    expect((await own()).err).toContain('Service Account sa does not have cluster-admin role');
    await engine.api.create(
      { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'sa' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name: 'sa', namespace: 'own' }],
      },
    );
    expect((await own()).code).toBe(0);
  });

  it('keeps a list of repositories that it cannot parse', async () => {
    const file = join(folder, 'home', 'repository', 'repositories.yaml');
    const before = await readFile(file, 'utf8');
    await writeFile(file, 'context: [');
    expect((await init('--client-only')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('context: [');
    await writeFile(file, before);
  });

  it('CLI-074 refuses a namespace that is terminating', async () => {
    await createNamespace(engine.api, 'going');
    const maps = { group: '', version: 'v1', resource: 'configmaps', namespace: 'going' };
    const metadata = { name: 'stays', namespace: 'going', finalizers: ['lab/stays'] };
    await engine.api.create(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await engine.api.delete({ group: '', version: 'v1', resource: 'namespaces', name: 'going' });
    const { err, code } = await init('-n', 'going');
    expect(code).toBe(255);
    expect(err).toContain('Namespace going is being terminated - Wait until it is fully gone and retry');
    await engine.api.patch({ ...maps, name: 'stays' }, 'merge', { metadata: { finalizers: null } });
  });

  it('CLI-077 CLI-078 (differs) does not need cert-manager, with or without the flag for it', async () => {
    expect((await init('--unsafe-self-signed-webhook-ca')).code).toBe(0);
    expect((await init()).out).not.toContain('cert-manager');
  });

  it('CLI-076 (differs) installs, waits for the controller, and may be repeated', async () => {
    for (let times = 0; times < 2; times++) {
      const { out, code } = await init('--wait', '--wait-timeout', '20');
      expect(code).toBe(0);
      expect(out).toContain('✅ installed crds\n✅ installed namespace\n✅ installed service account\n');
      expect(out).toMatch(/Controller \S+ is already running, so none was installed/);
      expect(out).toContain('✅ KUDO is ready!\n');
    }
    expect(await image()).toBeUndefined();
  });

  it('--verify names each part that is installed, and warns of those that plans can do without', async () => {
    const { out, err, code } = await init('--verify');
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n').map((line) => line.trimEnd());
    expect(lines).toEqual([
      expect.stringContaining('$KUDO_HOME has been configured at '),
      '✅ CRD operators.kudo.dev is installed and serves v1beta1',
      '✅ CRD operatorversions.kudo.dev is installed and serves v1beta1',
      '✅ CRD instances.kudo.dev is installed and serves v1beta1',
      '✅ CRD planruns.bravo.kudo.dev is installed and serves v1alpha1',
      '✅ CRD planschedules.bravo.kudo.dev is installed and serves v1alpha1',
      '✅ CRD planapprovals.bravo.kudo.dev is installed and serves v1alpha1',
      '✅ CRD operatorupgrades.bravo.kudo.dev is installed and serves v1alpha1',
      '✅ CRD operatorsubscriptions.bravo.kudo.dev is installed and serves v1alpha1',
      expect.stringMatching(/^✅ Lease default\/bravo-controller is held by controller \S+, renewed \d+ s ago$/),
      'Warnings',
      'Deployment kudo-system/kudo-controller-manager is not installed. This is correct when the controller runs outside of the cluster.',
      expect.stringContaining(
        'MutatingWebhookConfiguration kudo-manager-instance-admission-webhook-config is not installed.',
      ),
      '',
    ]);
  });

  it('--verify fails for a CRD that is missing, an old schema, a dead webhook and a dead controller', async () => {
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await engine.stopController();
    await engine.api.delete({
      group: 'coordination.k8s.io',
      version: 'v1',
      resource: 'leases',
      namespace: 'default',
      name: 'bravo-controller',
    });
    await engine.api.delete({ ...crds, name: 'operatorversions.kudo.dev' });
    const old = {
      versions: [{ name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    };
    await engine.api.patch({ ...crds, name: 'operators.kudo.dev' }, 'merge', { spec: old });
    await engine.api.create(CONFIGURATIONS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: CONFIGURATION_NAME },
      webhooks: [
        {
          ...webhookEntry({ kind: 'service', namespace: 'kudo-system', name: 'gone', port: 443, names: [] }, ''),
          failurePolicy: 'Fail',
        },
      ],
    });
    const { out, err, code } = await init('--verify');
    expect([code, err]).toEqual([255, 'Error: KUDO installation is not valid\n']);
    const errors = out
      .slice(out.indexOf('Errors'))
      .split('\n')
      .map((line) => line.trimEnd());
    expect(errors).toEqual([
      'Errors',
      'CRD operatorversions.kudo.dev is not installed',
      'No controller is running: the lease bravo-controller was not renewed in the last 30 s',
      expect.stringContaining('which has no endpoints. The API server refuses every edit of an Instance.'),
      '',
    ]);
    expect(out).toContain('CRD operators.kudo.dev has the schema of another version. Run bravo init to update it.');
    expect((await init('--verify', '--crd-only')).out).not.toContain('controller');
    await engine.api.delete({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
    expect((await init('--crd-only')).code).toBe(0);
    expect((await init('--verify', '--crd-only')).code).toBe(0);
    await engine.restartController();
  });

  it("an image replaces KUDO's manager, which must not run beside another controller", async () => {
    const place = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'kudo-system' };
    await engine.api.create(place, kudoManager());
    expect((await init('--upgrade')).err).toContain('Two managers must not run at once');
    const { out, code } = await init('--upgrade', '--version', '9');
    expect([code, out.includes('✅ installed kudo controller\n')]).toEqual([0, true]);
    expect(await engine.api.get({ ...place, name: 'kudo-controller-manager' })).toBeUndefined();
    expect(await image()).toBe('bravo:v9');
    expect((await init('--kudo-image', 'registry.test/bravo:10')).code).toBe(0);
    expect(await image()).toBe('registry.test/bravo:10');
  });
});
