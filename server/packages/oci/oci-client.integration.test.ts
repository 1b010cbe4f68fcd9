import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { parseOciReference } from '@/lib/oci/reference';
import { type OciRegistry, type OciRegistryOptions, startOciRegistry } from '@/test/programs/oci-registry';
import { loadArchive } from '../loaded-package';
import { archiveOf, OPERATOR, PARAMS } from '../package-fixture';
import { generateKeyPair, readPrivateKey, readPublicKey } from '../signing/keys';
import { pushAttachment, readAttachments } from './attachments';
import { OciClient } from './oci-client';
import { loadOciPackage, OciRepository } from './oci-repository';
import { pullEvidence, pullPackage } from './pull-package';
import { pushPackage, signManifest } from './push-package';

const USER = { name: 'anna', password: 'hidden' };

describe('packages in an OCI registry', () => {
  let started: OciRegistry[] = [];
  let base = '';
  const start = async (options: OciRegistryOptions = {}): Promise<OciRegistry> => {
    const registry = await startOciRegistry(options);
    started.push(registry);
    base = `oci://${registry.host}/lab`;
    return registry;
  };
  const client = (credentials?: { name: string; password: string }): OciClient =>
    new OciClient({
      clock: systemClock,
      userAgent: 'lab/1',
      credentialsFor: async () =>
        credentials === undefined ? undefined : { username: credentials.name, password: credentials.password },
    });
  /** Each version is packed once: the time of packing is in the archive. */
  const archives = new Map<string, Promise<Uint8Array>>();
  const packed = (name: string, version: string): Promise<Uint8Array> => {
    const id = `${name} ${version}`;
    const archive =
      archives.get(id) ??
      archiveOf([
        { name: 'operator.yaml', text: OPERATOR(name, version) },
        { name: PARAMS.name, text: PARAMS.text },
      ]);
    archives.set(id, archive);
    return archive;
  };
  const push = async (registry: OciClient, name: string, version: string) => {
    const archive = await packed(name, version);
    return pushPackage(registry, parseOciReference(`${base}/${name}`), {
      loaded: await loadArchive(archive, name),
      archive,
    });
  };

  beforeEach(() => {
    started = [];
  });
  afterEach(async () => {
    for (const registry of started) await registry.stop();
  });

  it('are pushed once, and found by tag, by digest and by name', async () => {
    const server = await start();
    const registry = client();
    const first = await push(registry, 'pond', '0.1.0');
    expect(first).toMatchObject({ isUploaded: true, reference: { repository: 'lab/pond', tag: '0.1.0' } });
    expect((await push(registry, 'pond', '0.1.0')).isUploaded).toBe(false);
    await push(registry, 'pond', '0.10.0');
    await push(registry, 'pond', '0.9.0');
    const { digest } = first.reference;
    const versionAt = async (rest: string) =>
      (await loadOciPackage(registry, `${base}/${rest}`, undefined)).package.operator.operatorVersion;
    expect([await versionAt('pond:0.9.0'), await versionAt(`pond@${digest}`), await versionAt('pond')]).toEqual([
      '0.9.0',
      '0.1.0',
      '0.10.0',
    ]);
    const repository = new OciRepository({ name: 'lab', url: base, registry });
    const found = await repository.find({ name: 'pond', operatorVersion: '0.9.0' });
    expect(found.package.operator.operatorVersion).toBe('0.9.0');
    await expect(repository.find({ name: 'lake' })).rejects.toThrow(`no operator found for: lake in ${base}`);
    expect(server.seen.filter(({ method }) => method === 'HEAD').length).toBeGreaterThan(0);
  });

  it('are listed with every version, best first, without what is no package', async () => {
    const server = await start({ pageSize: 1 });
    const registry = client();
    await push(registry, 'pond', '0.1.0');
    await push(registry, 'pond', '0.2.0');
    await push(registry, 'lake', '1.0.0');
    const image = JSON.stringify({ schemaVersion: 2, config: descriptor('{}'), layers: [] });
    await registry.pushManifest(parseOciReference(`${base}/nginx:1`), Buffer.from(image), TYPE);
    const { entries } = await new OciRepository({ name: 'lab', url: base, registry }).index();
    const listed = [...entries].map(([name, versions]) => [name, ...versions.map((each) => each.operatorVersion)]);
    expect(listed).toEqual([
      ['lake', '1.0.0'],
      ['pond', '0.2.0', '0.1.0'],
    ]);
    expect(entries.get('lake')?.[0]?.urls[0]).toMatch(/lab\/lake:1\.0\.0@sha256:[0-9a-f]{64}$/);
    server.intercept = (request, response) => {
      if (request.url?.startsWith('/v2/_catalog') !== true) return false;
      response.writeHead(404).end();
      return true;
    };
    await expect(new OciRepository({ name: 'lab', url: base, registry }).index()).rejects.toThrow(
      'does not list its repositories. Name the packages',
    );
    const named = await new OciRepository({ name: 'lab', url: base, registry, operators: ['pond'] }).index();
    expect([...named.entries.keys()]).toEqual(['pond']);
  });

  it.each(['basic', 'token'] as const)('are given to who signs in (%s), and to nobody else', async (by) => {
    const server = await start({ user: { ...USER, by } });
    await push(client(USER), 'pond', '0.1.0');
    await expect(loadOciPackage(client(), `${base}/pond:0.1.0`, undefined)).rejects.toThrow(
      by === 'basic' ? 'Sign in with `docker login`' : 'refused the credentials',
    );
    await expect(push(client({ ...USER, password: 'wrong' }), 'pond', '0.2.0')).rejects.toThrow(/Sign in|refused/);
    expect(server.seen.map(({ url }) => url).join()).not.toContain('hidden');
  });

  it('come by redirects, which get no credentials', async () => {
    const server = await start({ user: { ...USER, by: 'token' }, redirectsBlobs: true });
    const registry = client(USER);
    await push(registry, 'pond', '0.1.0');
    expect((await loadOciPackage(registry, `${base}/pond:0.1.0`, undefined)).package.operator.name).toBe('pond');
    const elsewhere = server.seen.filter(({ server: which }) => which === 'storage');
    expect(elsewhere.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('are refused when manifest or archive do not have their digest, or are too large', async () => {
    const server = await start();
    const registry = client();
    const { reference } = await push(registry, 'pond', '0.1.0');
    const url = `${base}/pond@${reference.digest}`;
    const layer = [...server.blobs].sort((a, b) => b[1].length - a[1].length).find(([, bytes]) => bytes[0] === 0x1f);
    const [digest = '', bytes = Buffer.alloc(0)] = layer ?? [];
    const altered = Buffer.from(bytes);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    server.blobs.set(digest, altered);
    await expect(loadOciPackage(registry, url, undefined)).rejects.toMatchObject({ reason: 'DigestMismatch' });
    server.blobs.set(digest, Buffer.concat([bytes, Buffer.alloc(5_000)]));
    await expect(loadOciPackage(registry, url, undefined)).rejects.toThrow('the file is larger than');
    const stored = server.manifests.get(`lab/pond@${reference.digest}`);
    server.manifests.set(`lab/pond@${reference.digest}`, {
      type: stored?.type ?? '',
      bytes: Buffer.from(`${stored?.bytes.toString()} `),
    });
    await expect(loadOciPackage(registry, url, undefined)).rejects.toMatchObject({ reason: 'DigestMismatch' });
  });

  it('are signed as cosign does it, and refused without a signature, by another key, or after a change', async () => {
    await start();
    const registry = client();
    const [own, other] = [await generateKeyPair('one'), await generateKeyPair('')];
    const policy = { owner: 'repository lab', keys: [readPublicKey(own.publicKey, 'own.pub')] };
    const { reference } = await push(registry, 'pond', '0.1.0');
    const url = `${base}/pond:0.1.0`;
    await expect(loadOciPackage(registry, url, policy)).rejects.toThrow(
      /^The package \S+ is refused: it is not signed, and repository lab requires a signature by key [0-9a-f]{12}\.$/,
    );
    await signManifest(registry, reference, await readPrivateKey(other.privateKey, 'other.key', async () => ''));
    await expect(loadOciPackage(registry, url, policy)).rejects.toThrow(
      'another key signed it, or the package was changed',
    );
    await signManifest(registry, reference, await readPrivateKey(own.privateKey, 'own.key', async () => 'one'));
    expect((await loadOciPackage(registry, url, policy)).package.operator.name).toBe('pond');
    const evidence = await pullEvidence(registry, await pullPackage(registry, reference));
    expect(evidence.manifest?.signatures.map(({ payload }) => JSON.parse(payload))).toEqual(
      Array.from({ length: 2 }, () => ({
        critical: {
          identity: { 'docker-reference': `${reference.registry}/lab/pond` },
          image: { 'docker-manifest-digest': reference.digest },
          type: 'cosign container image signature',
        },
        optional: null,
      })),
    );
    // A signed archive under another name or version is not what its manifest says.
    const archive = await packed('lake', '0.1.0');
    const disguise = await loadArchive(await packed('pond', '0.9.0'), 'pond');
    const forged = await pushPackage(registry, parseOciReference(`${base}/pond`), { loaded: disguise, archive });
    await signManifest(registry, forged.reference, await readPrivateKey(own.privateKey, 'own.key', async () => 'one'));
    await expect(loadOciPackage(registry, `${base}/pond:0.9.0`, policy)).rejects.toThrow(
      'it is lake 0.1.0, but the registry says something else',
    );
    // The signatures of one version prove nothing about another one.
    await push(registry, 'pond', '0.2.0');
    await expect(loadOciPackage(registry, `${base}/pond:0.2.0`, policy)).rejects.toThrow('it is not signed');
  });

  it.each([true, false])('have attachments (referrers API: %s)', async (hasReferrers) => {
    await start({ hasReferrers });
    const registry = client();
    const { reference } = await push(registry, 'pond', '0.1.0');
    await pushAttachment(registry, reference, { artifactType: 'application/a+json', text: '{"a":1}' });
    await pushAttachment(registry, reference, { artifactType: 'application/b+json', text: '{"b":1}' });
    await pushAttachment(registry, reference, { artifactType: 'application/b+json', text: '{"b":1}' });
    expect(await readAttachments(registry, reference, 'application/b+json')).toEqual([
      { artifactType: 'application/b+json', text: '{"b":1}' },
    ]);
    expect(await readAttachments(registry, reference)).toHaveLength(2);
    expect([...(await new OciRepository({ name: 'lab', url: base, registry }).index()).entries]).toHaveLength(1);
  });

  it('say what is wrong when the registry cannot answer', async () => {
    const server = await start();
    const registry = client();
    server.intercept = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    await expect(registry.tags({ registry: server.host, repository: 'lab/pond' })).rejects.toMatchObject({
      kind: 'transient',
      message: `The registry ${server.host} answered 503. Try again later.`,
    });
    await expect(registry.tags({ registry: '127.0.0.1:1', repository: 'a' })).rejects.toThrow('cannot be reached');
  });

  it('never follow a redirect to another scheme', async () => {
    const server: Server = createServer((_request, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(client().tags({ registry: `127.0.0.1:${port}`, repository: 'a' })).rejects.toThrow(
      'redirects to file:',
    );
    server.close();
  });
});

const TYPE = 'application/vnd.oci.image.manifest.v1+json';

function descriptor(text: string): object {
  return { mediaType: 'application/json', digest: `sha256:${'0'.repeat(64)}`, size: text.length };
}
