import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Target } from '@/server/kube/api';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const CONSOLE: Target = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  namespace: 'kudo-system',
  name: 'bravo-console',
};
const SECRETS: Target = { group: '', version: 'v1', resource: 'secrets' };

describe('init of an installation with a console', () => {
  let engine: Engine;
  let folder: string;
  const init = (...words: string[]) =>
    runBravo('init', ...words, '--home', join(folder, 'home'), '--kubeconfig', join(folder, 'kubeconfig'));
  const install = (...words: string[]) => init('--kudo-image', 'registry.test/bravo:1', '--console', ...words);
  const lines = (text: string) => text.split('\n').map((line) => line.trimEnd());

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-init-console-'));
    engine = await startEngine();
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    await createNamespace(engine.api, 'team-a');
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('takes the keys of an older controller over, and its cluster-admin back', async () => {
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'kudo-manager-rolebinding' },
      roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'kudo-manager', namespace: 'kudo-system' }],
    };
    await engine.api.create({ ...RBAC, resource: 'clusterrolebindings' }, binding);
    const { out, err, code } = await install();
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('✅ installed console\n');
    expect(out).toContain('Copied Secret bravo-fingerprint-key from namespace default to kudo-system');
    expect(out).toContain('Deleted ClusterRoleBinding kudo-manager-rolebinding (cluster-admin)');
    const key = (namespace: string) => engine.api.get({ ...SECRETS, namespace, name: 'bravo-fingerprint-key' });
    expect((await key('kudo-system'))?.data).toEqual((await key('default'))?.data);
  });

  it('verifies each object, and is quiet when it is applied again', async () => {
    const { out, err, code } = await init('--verify', '--console', '--kudo-image', 'registry.test/bravo:1');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('✅ ClusterRole bravo-controller is as bravo init applies it\n');
    expect(out).toContain('✅ ServiceAccount kudo-system/bravo-console is as bravo init applies it\n');
    expect(out).toMatch(
      /Deployment kudo-system\/bravo-console \(image registry.test\/bravo:1\) has \d of 2 pods ready/,
    );
    expect(out).not.toContain('differs');
    expect((await install()).out).not.toMatch(/Copied|Deleted/);
  });

  it('--verify names the fields that were changed, and what is missing; init repairs both and keeps foreign labels', async () => {
    const labels = { metadata: { labels: { team: 'platform' } } };
    await engine.api.patch(CONSOLE, 'merge', { ...labels, spec: { replicas: 3 } });
    await engine.api.delete({ ...RBAC, resource: 'clusterrolebindings', name: 'bravo-controller' });
    const broken = await init('--verify', '--console');
    expect(broken.code).toBe(255);
    expect(lines(broken.out)).toEqual(
      expect.arrayContaining([
        'Deployment kudo-system/bravo-console differs in spec.replicas. Run bravo init with the same flags to update it.',
        'ClusterRoleBinding bravo-controller does not exist. Run bravo init with the same flags to create it.',
      ]),
    );
    expect((await install()).code).toBe(0);
    expect((await init('--verify', '--console')).code).toBe(0);
    const repaired = await engine.api.get(CONSOLE);
    expect([repaired?.metadata.labels?.team, numberAt(repaired, 'spec', 'replicas')]).toEqual(['platform', 2]);
  });

  it('with --shards the controllers share the Instances', async () => {
    const { out } = await install('--dry-run', '-o', 'json', '--controller-replicas', '4', '--shards', '16');
    expect(out).toContain('"replicas": 4');
    expect(out).toMatch(/"name": "BRAVO_SHARDS",\s+"value": "16"/);
    const wrong = await init('--shards', '0', '--dry-run');
    expect([wrong.code, wrong.err]).toEqual([
      255,
      expect.stringContaining('--shards must be a whole number from 1 to 256, not "0"'),
    ]);
  });

  it('with --namespaces everything is in namespaces, and needs neither CRDs nor cluster roles', async () => {
    const { out } = await install('--dry-run', '-o', 'json', '--namespaces', 'team-a,team-b');
    const objects: { kind: string; metadata: { namespace?: string } }[] = JSON.parse(out);
    expect(objects.filter(({ metadata }) => metadata.namespace === undefined)).toEqual([]);
    expect(out).toContain('"value": "team-a,team-b"');
    const wrong = await init('--namespaces', 'Team', '--dry-run');
    expect(wrong.err).toContain('"Team" is no name of a namespace');
  });

  it('--remove-crds is refused while an Instance exists that is not named, and nothing is removed', async () => {
    const instance = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'kept', namespace: 'team-a' },
      spec: { operatorVersion: { name: 'none' } },
    };
    await engine.api.create({ ...INSTANCES, namespace: 'team-a' }, instance);
    const { err, code } = await init('--remove', '--remove-crds');
    expect([code, err]).toEqual([255, expect.stringContaining('because 1 Instances exist: team-a/kept.')]);
    expect(await engine.api.get(CONSOLE)).toBeDefined();
  });

  it('--remove removes what init applied, keeps CRDs, Instances and keys, and may be repeated', async () => {
    const dry = await init('--remove', '--dry-run');
    expect(dry.out).toContain('Would remove Deployment kudo-system/bravo-console\n');
    expect(await engine.api.get(CONSOLE)).toBeDefined();
    const { out, code } = await init('--remove');
    expect(code).toBe(0);
    expect(lines(out)[0]).toMatch(/^Removed Deployment kudo-system\//);
    expect(out).toContain('Removed ClusterRole bravo-console-watch\n');
    expect(out).toContain('The CRDs with all Instances, and namespace kudo-system with the keys');
    expect(await engine.api.get(CONSOLE)).toBeUndefined();
    expect(await engine.api.get({ ...INSTANCES, namespace: 'team-a', name: 'kept' })).toBeDefined();
    expect((await init('--remove')).out).not.toContain('Removed');
  });

  it('--remove-crds deletes the Instances that are named first, then the CRDs', async () => {
    const { out, err, code } = await init('--remove', '--remove-crds', '--delete-instance', 'team-a/kept');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Deleted Instance team-a/kept; its cleanup plan runs\n');
    expect(out).toContain('Removed CustomResourceDefinition instances.kudo.dev\n');
  });
});
