import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { addToIndex, formatIndex } from '@/lib/kudo/repository/build-index';
import { signatureTag } from '@/lib/kudo/signatures/simple-signing';
import type { Instance } from '@/lib/kudo/types';
import {
  CHECK_NOW,
  OPERATOR_SUBSCRIPTIONS,
  type OperatorSubscription,
} from '@/lib/kudo/upgrades/operator-subscription';
import { parseOciReference } from '@/lib/oci/reference';
import { loadArchive } from '@/server/packages/loaded-package';
import { sha256Hex } from '@/server/packages/oci/digest';
import { OciClient } from '@/server/packages/oci/oci-client';
import { pushPackage, signManifest } from '@/server/packages/oci/push-package';
import { writeRelease } from '@/server/packages/oci/release-records';
import { archiveOf, OPERATOR, PARAMS } from '@/server/packages/package-fixture';
import { signBytes } from '@/server/packages/signing/check-signatures';
import { generateKeyPair, readPrivateKey } from '@/server/packages/signing/keys';
import { createRepositoryObjects } from '@/server/repositories/repository-objects';
import { createNamespace, createOperator, type Engine, startEngine } from '@/test/engine/https-engine';
import { plan } from '@/test/operators/templates';
import { startOciRegistry } from '@/test/programs/oci-registry';

const USER = { name: 'anna', password: 'hidden-of-anna', by: 'basic' } as const;
const tasks = [{ name: 'done', kind: 'Dummy' as const, spec: { done: true } }];
const plans = { deploy: plan(['main', 'done']) };
const FILE = 'pond-1.1.0.tgz';

/** Repositories of the console, with keys and credentials, as subscriptions follow them. */
describe('a followed repository', () => {
  let engine: Engine;
  let privateKey: Awaited<ReturnType<typeof readPrivateKey>>;
  let publicKey = '';
  let namespaces = 0;
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    engine = await startEngine({ allowLocal: true });
    const pair = await generateKeyPair('');
    publicKey = pair.publicKey;
    privateKey = await readPrivateKey(pair.privateKey, 'key', async () => '');
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => engine?.stop());

  const packed = (version: string) => archiveOf([{ name: 'operator.yaml', text: OPERATOR('pond', version) }, PARAMS]);

  /** An Instance of version 1.0.0, and a subscription that starts upgrades by itself. */
  async function subscribe(repository: string) {
    namespaces += 1;
    const namespace = `lab-${namespaces}`;
    await createNamespace(engine.api, namespace);
    await createOperator(engine.api, namespace, 'pond', { version: '1.0.0', tasks, plans });
    const instance = { ...INSTANCES, namespace, name: 'a' };
    const labels = { 'kudo.dev/operator': 'pond' };
    await engine.api.create(
      { ...INSTANCES, namespace },
      {
        ...{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name: 'a', namespace, labels } },
        spec: { operatorVersion: { name: 'pond-1.0.0' } },
      },
    );
    const target = { ...OPERATOR_SUBSCRIPTIONS, namespace, name: 'pond' };
    await engine.api.create(
      { ...OPERATOR_SUBSCRIPTIONS, namespace },
      {
        ...{
          apiVersion: 'bravo.kudo.dev/v1alpha1',
          kind: 'OperatorSubscription',
          metadata: { name: 'pond', namespace },
        },
        spec: { operator: 'pond', repository, approval: 'Automatic' },
      },
    );
    const status = async () => ((await engine.api.get(target)) as OperatorSubscription).status ?? {};
    return {
      status,
      says: (text: string) =>
        vi.waitFor(async () => expect(JSON.stringify(await status())).toContain(text), {
          timeout: 30_000,
          interval: 50,
        }),
      checkNow: () => engine.api.patch(target, 'merge', CHECK_NOW, { subresource: 'status' }),
      version: async () => ((await engine.api.get(instance)) as Instance).spec?.operatorVersion?.name,
    };
  }

  /** A registry that only anna may read, kept as a repository of the console. */
  async function signedRegistry(name: string) {
    const server = await startOciRegistry({ user: USER });
    stops.push(() => server.stop());
    const url = `oci://${server.host}/lab`;
    const registry = new OciClient({
      ...{ clock: systemClock, userAgent: 'lab/1' },
      credentialsFor: async () => ({ username: USER.name, password: USER.password }),
    });
    const push = async (archive: Uint8Array, version: string, channel: string) =>
      (
        await pushPackage(registry, parseOciReference(`${url}/pond:${version}`), {
          ...{ loaded: await loadArchive(archive, 'pond'), archive, lifecycle: { channels: [channel] } },
        })
      ).reference;
    const credentials = { username: USER.name, password: USER.password, server: server.host };
    await createRepositoryObjects(engine.api, 'default', { name, url, signatureKeys: [publicKey] }, credentials);
    return { url, registry, push };
  }

  it('in a registry is named, read with its credentials, and its channel moves the Instance', async () => {
    const { url, registry, push } = await signedRegistry('company');
    const reference = await push(await packed('1.1.0'), '1.1.0', 'candidate');
    await signManifest(registry, reference, privateKey);
    const { says, checkNow, version, status } = await subscribe('company');
    await says('"checkedAt"');
    expect((await status()).available).toBeUndefined();
    await writeRelease(registry, reference, { channels: ['stable'] });
    await checkNow();
    await says('"upgrade":"pond-');
    await vi.waitFor(async () => expect(await version()).toBe('pond-1.1.0'), { timeout: 30_000, interval: 50 });
    expect(JSON.stringify(await status())).not.toContain(USER.password);
    // The address has the policy and the credentials of the repository that it is in.
    const byAddress = await subscribe(url);
    await vi.waitFor(async () => expect(await byAddress.version()).toBe('pond-1.1.0'), {
      timeout: 30_000,
      interval: 50,
    });
    await (await subscribe('unknown')).says('There is no repository unknown in namespace default.');
  });

  it('in a registry gives no version that is not signed, or of which a byte was changed after it was signed', async () => {
    const { registry, push } = await signedRegistry('strict');
    const archive = await packed('1.1.0');
    const reference = await push(archive, '1.1.0', 'stable');
    const { says, checkNow, version } = await subscribe('strict');
    await says(`/lab/pond:1.1.0@${reference.digest} is refused: it is not signed, and repository strict requires`);
    await signManifest(registry, reference, privateKey);
    const changed = await push(oneByteChanged(archive), '1.1.0', 'stable');
    // The signature of the former bytes, given for the new ones.
    const at = { registry: reference.registry, repository: reference.repository };
    const stolen = await registry.manifest({ ...at, tag: signatureTag(reference.digest) });
    const bytes = stolen?.bytes ?? new Uint8Array();
    await registry.pushManifest({ ...at, tag: signatureTag(changed.digest) }, bytes, stolen?.mediaType ?? '');
    await checkNow();
    await says(`/lab/pond:1.1.0@${changed.digest} is refused: its signature is not by key`);
    expect(await version()).toBe('pond-1.0.0');
  });

  it('over HTTP gives no version that is not signed, or of which a byte was changed after it was signed', async () => {
    const archive = await packed('1.1.0');
    const files = new Map<string, Uint8Array | string>();
    const url = await serve(files, stops);
    const publish = (bytes: Uint8Array) => {
      files.set(`/${FILE}`, bytes);
      const entry = { name: 'pond', operatorVersion: '1.1.0', appVersion: '', maintainers: [], removed: false };
      const listed = { ...entry, urls: [FILE], digest: sha256Hex(bytes) };
      files.set('/index.yaml', formatIndex(addToIndex({ entries: new Map() }, [listed]).index, '2026-11-29T00:00:00Z'));
    };
    publish(archive);
    await createRepositoryObjects(engine.api, 'default', { name: 'web', url, signatureKeys: [publicKey] }, undefined);
    const { says, checkNow, version } = await subscribe(url);
    await says(`${url}/${FILE} is refused: it is not signed, and repository web requires a signature`);
    files.set(`/${FILE}.sig`, signBytes(privateKey, archive));
    publish(oneByteChanged(archive));
    await checkNow();
    await says(`${url}/${FILE} is refused: its signature is not by key`);
    expect(await version()).toBe('pond-1.0.0');
    publish(archive);
    await checkNow();
    await vi.waitFor(async () => expect(await version()).toBe('pond-1.1.0'), { timeout: 30_000, interval: 50 });
  });
});

/** The operating system in the header of gzip (RFC 1952): the archive unpacks as before. */
function oneByteChanged(archive: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(archive);
  bytes[9] = (bytes[9] ?? 0) ^ 1;
  return bytes;
}

async function serve(
  files: ReadonlyMap<string, Uint8Array | string>,
  stops: (() => Promise<unknown>)[],
): Promise<string> {
  const server: Server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file === undefined ? 404 : 200).end(file ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
