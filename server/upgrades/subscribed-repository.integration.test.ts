import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { OperatorSubscriptionSpec } from '@/lib/kudo/upgrades/operator-subscription';
import { writePond } from '@/test/operators/pond-package';
import { type OciRegistry, startOciRegistry } from '@/test/programs/oci-registry';
import { runBravo } from '@/test/programs/run-bravo';
import { repositoryOpener, subscribedRepository } from './open-repository';

const USER = { name: 'anna', password: 'hidden-password' };
const POND = { name: 'pond', operatorVersion: '0.2.0' };

describe('a subscription to a repository in an OCI registry', () => {
  let folder = '';
  let registry: OciRegistry;
  let url = '';
  let publicKey = '';
  let auths: object = {};
  const secrets = new Map<string, KubeObject>();
  const addSecret = (name: string, type: string, config: string) =>
    secrets.set(name, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      type,
      data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
    });
  const open = (spec: OperatorSubscriptionSpec) =>
    subscribedRepository(
      { get: async ({ name = '' }) => secrets.get(name) },
      { namespace: 'shop', spec: { operator: 'pond', repository: url, ...spec } },
      repositoryOpener({ clock: systemClock, allowLocal: true }),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-followed-'));
    registry = await startOciRegistry({ user: { ...USER, by: 'token' } });
    url = `oci://${registry.host}/lab`;
    const auth = Buffer.from(`${USER.name}:${USER.password}`).toString('base64');
    auths = { auths: { [registry.host]: { auth } } };
    await writeFile(join(folder, 'config.json'), JSON.stringify(auths));
    vi.stubEnv('DOCKER_CONFIG', folder);
    vi.stubEnv('COSIGN_PASSWORD', '');
    await runBravo('package', 'keys', '--prefix', join(folder, 'own'), '--home', folder);
    publicKey = await readFile(join(folder, 'own.pub'), 'utf8');
    for (const version of ['0.1.0', '0.2.0']) {
      await writePond(join(folder, version), version);
      const signed = version === '0.2.0' ? ['--sign-key', join(folder, 'own.key')] : [];
      const { err } = await runBravo('push', join(folder, version), `${url}/pond`, ...signed, '--home', folder);
      expect(err).toBe('');
    }
    addSecret('pull', 'kubernetes.io/dockerconfigjson', JSON.stringify(auths));
    addSecret('opaque', 'Opaque', JSON.stringify(auths));
    addSecret('broken', 'kubernetes.io/dockerconfigjson', '[');
    addSecret(
      'other',
      'kubernetes.io/dockerconfigjson',
      JSON.stringify({ auths: { 'other.example': { auth: 'eDp5' } } }),
    );
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('lists and loads its versions as the user of the pull secret', async () => {
    const source = open({ pullSecret: 'pull' });
    const releases = await source.releases('pond');
    expect(releases.map(({ operatorVersion }) => operatorVersion)).toEqual(['0.2.0', '0.1.0']);
    expect((await source.find(POND)).package.operator.operatorVersion).toBe('0.2.0');
  });

  it.each([
    [undefined, 'refused the credentials'],
    ['other', 'refused the credentials'],
    ['gone', 'Secret shop/gone does not exist. The subscription names it as its pullSecret.'],
    ['opaque', 'Secret shop/opaque is of type Opaque, and not kubernetes.io/dockerconfigjson.'],
    ['broken', 'The key .dockerconfigjson of Secret shop/broken is not a JSON object.'],
  ])('says why the pull secret %s does not open it', async (pullSecret, message) => {
    const source = open(pullSecret === undefined ? {} : { pullSecret });
    await expect(source.releases('pond')).rejects.toThrow(message);
    const shown = await source.releases('pond').catch(String);
    expect(shown).not.toContain(USER.password);
  });

  it('takes only what its keys have signed, and nothing of which a byte was altered', async () => {
    const spec = { pullSecret: 'pull', signatureKeys: [publicKey] };
    expect((await open(spec).find(POND)).package.operator.name).toBe('pond');
    await expect(open(spec).find({ name: 'pond', operatorVersion: '0.1.0' })).rejects.toThrow('it is not signed');
    await expect(open({ ...spec, signatureKeys: ['none'] }).releases('pond')).rejects.toThrow(/key/i);
    const intact = new Map(registry.blobs);
    for (const [digest, bytes] of intact) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(altered.length >> 1) ^ 1, altered.length >> 1);
      registry.blobs.set(digest, altered);
    }
    await expect(open(spec).find(POND)).rejects.toThrow('is not what it says');
    for (const [digest, bytes] of intact) registry.blobs.set(digest, bytes);
    expect((await open(spec).find(POND)).package.operator.name).toBe('pond');
  });

  it('is refused on this machine where that is not allowed, and for an address that is no reference', async () => {
    const guarded = (repository: string) =>
      subscribedRepository(
        { get: async () => undefined },
        { namespace: 'shop', spec: { operator: 'pond', repository } },
        repositoryOpener({ clock: systemClock, allowLocal: false }),
      ).releases('pond');
    await expect(guarded(url)).rejects.toThrow(/this machine|loopback/i);
    await expect(guarded('oci://registry.example/UPPER')).rejects.toThrow('is not a reference to an OCI registry');
  });
});
