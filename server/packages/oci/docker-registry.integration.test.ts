import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { type Lifecycle, lifecycleOf } from '@/lib/kudo/repository/lifecycle';
import { findUpgradePath } from '@/lib/kudo/upgrades/find-path';
import { MANIFEST_TYPE } from '@/lib/oci/manifest';
import { parseOciReference } from '@/lib/oci/reference';
import { loadArchive } from '../loaded-package';
import { archiveOf, OPERATOR, PARAMS } from '../package-fixture';
import { generateKeyPair, readPrivateKey, readPublicKey } from '../signing/keys';
import { pushAttachment, readAttachments } from './attachments';
import { OciClient } from './oci-client';
import { loadOciPackage, OciRepository } from './oci-repository';
import { pushPackage, signManifest } from './push-package';
import { writeRelease } from './release-records';

const isInstalled = spawnSync('docker-registry', ['--version']).status === 0;
const title = isInstalled
  ? 'with the distribution registry of Debian'
  : 'with the distribution registry: skipped, because docker-registry is not installed (apt-get install docker-registry)';

describe.skipIf(!isInstalled)(title, () => {
  let folder = '';
  let child: ChildProcess | undefined;
  let base = '';
  const client = (password: string): OciClient =>
    new OciClient({
      clock: systemClock,
      userAgent: 'lab/1',
      credentialsFor: async () => ({ username: 'anna', password }),
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-registry-'));
    const port = await freePort();
    base = `oci://127.0.0.1:${port}/lab`;
    await writeFile(join(folder, 'htpasswd'), `anna:${hashSync('hidden', 4).replace('$2b$', '$2y$')}\n`);
    const config = {
      version: 0.1,
      storage: { filesystem: { rootdirectory: join(folder, 'data') } },
      http: { addr: `127.0.0.1:${port}` },
      auth: { htpasswd: { realm: 'lab', path: join(folder, 'htpasswd') } },
    };
    await writeFile(join(folder, 'config.yml'), JSON.stringify(config));
    const started = spawn('docker-registry', ['serve', join(folder, 'config.yml')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      started.stderr.on('data', (chunk) => {
        log += String(chunk);
        if (log.includes('listening on')) resolve();
      });
      started.on('exit', () => reject(new Error(`docker-registry ended: ${log.slice(-500)}`)));
    });
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('packages are pushed, signed, listed, pulled and described', async () => {
    const registry = client('hidden');
    const pair = await generateKeyPair('');
    const key = await readPrivateKey(pair.privateKey, 'key', async () => '');
    const policy = { owner: 'repository lab', keys: [readPublicKey(pair.publicKey, 'pub')] };
    for (const version of ['0.1.0', '0.2.0']) {
      const archive = await archiveOf([{ name: 'operator.yaml', text: OPERATOR('pond', version) }, PARAMS]);
      const loaded = await loadArchive(archive, 'pond');
      const { reference } = await pushPackage(registry, parseOciReference(`${base}/pond`), { loaded, archive });
      if (version === '0.2.0') await signManifest(registry, reference, key);
      await pushAttachment(registry, reference, { artifactType: 'application/spdx+json', text: '{}' });
      await pushAttachment(registry, reference, { artifactType: 'application/vnd.in-toto+json', text: '{"x":1}' });
      expect(await readAttachments(registry, reference)).toHaveLength(2);
    }
    const { entries } = await new OciRepository({ name: 'lab', url: base, registry }).index();
    expect(entries.get('pond')?.map(({ operatorVersion }) => operatorVersion)).toEqual(['0.2.0', '0.1.0']);
    const { package: found } = await loadOciPackage(registry, `${base}/pond`, policy);
    expect(found.operator.operatorVersion).toBe('0.2.0');
    await expect(loadOciPackage(registry, `${base}/pond:0.1.0`, policy)).rejects.toThrow('it is not signed');
  });

  it('channels, ranges and withdrawals of a version change, and its digest and signature stay', async () => {
    const registry = client('hidden');
    const open = () => new OciRepository({ name: 'lab', url: base, registry });
    const push = async (version: string, lifecycle?: Lifecycle, more = '') => {
      const operator = { name: 'operator.yaml', text: `${OPERATOR('lake', version)}${more}` };
      const archive = await archiveOf([operator, PARAMS]);
      const loaded = await loadArchive(archive, 'lake');
      return pushPackage(registry, parseOciReference(`${base}/lake`), { loaded, archive, lifecycle });
    };
    const said = async () => (await open().releases('lake')).map((each) => [each.operatorVersion, lifecycleOf(each)]);
    await push('1.0.0');
    const { reference } = await push('1.1.0', {
      channels: ['candidate'],
      upgradableFrom: { operatorVersion: '>=1.0.0' },
    });
    const candidate = { channels: ['candidate'], upgradableFrom: { operatorVersion: '>=1.0.0' } };
    expect(await said()).toEqual([
      ['1.1.0', candidate],
      ['1.0.0', {}],
    ]);
    const listed = await open().releases('lake');
    expect(
      findUpgradePath({ operatorVersion: '1.0.0', appVersion: '' }, { channel: 'stable', releases: listed }).steps,
    ).toEqual([]);
    await writeRelease(registry, reference, { channels: ['stable'], withdrawn: { reason: 'loses data' } });
    expect(await said()).toEqual([
      ['1.1.0', { channels: ['stable'], withdrawn: { reason: 'loses data' } }],
      ['1.0.0', {}],
    ]);
    expect((await open().releases('lake'))[0]?.urls[0]).toContain(reference.digest);
    // Other bytes of the version are still withdrawn, and a tag of somebody's choice is no other version.
    await push('1.1.0', undefined, '# changed\n');
    await registry.pushManifest(
      { ...reference, tag: 'aaa' },
      (await registry.manifest(reference))?.bytes ?? new Uint8Array(),
      MANIFEST_TYPE,
    );
    expect(await said()).toEqual([
      ['1.1.0', { channels: ['stable'], withdrawn: { reason: 'loses data' } }],
      ['1.0.0', {}],
    ]);
    expect((await open().releases('lake'))[0]?.urls[0]).not.toContain(reference.digest);
    expect((await open().find({ name: 'lake', operatorVersion: '1.1.0' })).place).not.toContain(reference.digest);
  });

  it('who has another password is told to sign in', async () => {
    await expect(loadOciPackage(client('wrong'), `${base}/pond:0.1.0`, undefined)).rejects.toThrow(
      'Sign in with `docker login`',
    );
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
