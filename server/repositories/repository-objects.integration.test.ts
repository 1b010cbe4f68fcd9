import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateKeyPair } from '@/server/packages/signing/keys';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { readRepositoryDraft } from './repository-draft';
import {
  createRepositoryObjects,
  deleteRepositoryObjects,
  readCredentials,
  readRepositoryObjects,
  updateRepositoryObjects,
} from './repository-objects';

const NAMESPACE = 'console';
let engine: Engine;

beforeAll(async () => {
  engine = await startEngine();
  await createNamespace(engine.api, NAMESPACE);
});
afterAll(() => engine?.stop());

describe('the repositories of a console', () => {
  const stored = async () =>
    (await readRepositoryObjects(engine.api, NAMESPACE)).map(({ version: _version, ...rest }) => rest);
  const credentials = async () => {
    const { version: _version, ...rest } = (await readCredentials(engine.api, NAMESPACE, 'lab')) ?? { version: '' };
    return rest;
  };

  it('are kept in ConfigMaps, their credentials in Secrets of the same name', async () => {
    const { publicKey } = await generateKeyPair('');
    const source = {
      name: 'lab',
      url: 'oci://r:5000/lab',
      operators: ['pond'],
      isPlainHttp: true,
      signatureKeys: [publicKey],
    };
    const secret = { username: 'anna', password: 'hidden', server: 'r:5000' };
    await createRepositoryObjects(engine.api, NAMESPACE, source, secret);
    expect(await stored()).toEqual([{ source, hasCredentials: true }]);
    expect(await credentials()).toEqual(secret);
    await expect(createRepositoryObjects(engine.api, NAMESPACE, source, undefined)).rejects.toMatchObject({
      reason: 'AlreadyExists',
    });
    const other = { name: 'lab', url: 'https://r/v1' };
    await updateRepositoryObjects(engine.api, NAMESPACE, other, 'keep');
    expect(await stored()).toEqual([{ source: other, hasCredentials: true }]);
    expect(await credentials()).toEqual(secret);
    await updateRepositoryObjects(engine.api, NAMESPACE, other, { ...secret, password: 'new', server: 'https://r' });
    expect(await credentials()).toMatchObject({ password: 'new', server: 'https://r' });
    await updateRepositoryObjects(engine.api, NAMESPACE, other, undefined);
    expect([await stored(), await credentials()]).toEqual([[{ source: other, hasCredentials: false }], {}]);
    await updateRepositoryObjects(engine.api, NAMESPACE, other, secret);
    await deleteRepositoryObjects(engine.api, NAMESPACE, 'lab');
    expect([await stored(), await credentials()]).toEqual([[], {}]);
  });

  it('accept nothing when their keys are no keys', async () => {
    const labels = { 'bravo.kudo.dev/repository': 'hand' };
    await engine.api.create(
      { group: '', version: 'v1', resource: 'configmaps', namespace: NAMESPACE },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'bravo-repository-hand', namespace: NAMESPACE, labels },
        data: { url: 'https://r', 'signature-keys': 'none' },
      },
    );
    expect(await stored()).toEqual([
      { source: { name: 'hand', url: 'https://r', signatureKeys: [] }, hasCredentials: false },
    ]);
  });
});

describe('the form of a repository', () => {
  const valid = { name: 'lab', url: 'oci://r:5000/lab/', operators: 'pond, lake', username: 'a', password: 'b' };

  it('becomes a repository, and credentials for its server', () => {
    expect(readRepositoryDraft(valid)).toEqual({
      source: { name: 'lab', url: 'oci://r:5000/lab', operators: ['pond', 'lake'] },
      credentials: { username: 'a', password: 'b', server: 'r:5000' },
    });
    expect(readRepositoryDraft({ name: 'x', url: 'https://h:1/v1', keepsCredentials: true }).credentials).toBe('keep');
    expect(readRepositoryDraft({ name: 'x', url: 'https://h:1/v1' }).credentials).toBeUndefined();
  });

  it('is refused with the fields that are wrong', () => {
    for (const [change, field, why] of [
      [{ name: 'A b' }, 'name', 'Use 1 to 40'],
      [{ url: '' }, 'url', 'Give the address'],
      [{ url: 'file:///etc' }, 'url', 'It must begin with'],
      [{ url: 'https://a:b@h' }, 'url', 'in their own fields'],
      [{ url: 'oci://r/a:1' }, 'url', 'without a tag'],
      [{ url: 'oci://a:b@r/a' }, 'url', 'user name or a password'],
      [{ operators: '../x' }, 'operators', 'is not the name of a package'],
      [{ signatureKeys: 'x' }, 'signatureKeys', 'Paste public keys'],
      [{ password: '' }, 'password', 'or neither'],
      [{ username: 'a:b' }, 'username', 'no colon'],
    ] as const) {
      expect(() => readRepositoryDraft({ ...valid, ...change })).toThrow(
        expect.objectContaining({ causes: [{ field, message: expect.stringContaining(why) }] }),
      );
    }
  });
});
