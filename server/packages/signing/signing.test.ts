import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { signingPayload } from '@/lib/kudo/signatures/simple-signing';
import { formatManifest } from '@/lib/oci/manifest';
import { PACKAGE_LAYER_TYPE, PACKAGE_TYPE } from '@/lib/oci/package-manifest';
import { digestOf } from '../oci/digest';
import { formatBundle, parseBundle } from './bundle';
import { checkSignatures, signBytes } from './check-signatures';
import { generateKeyPair, readPrivateKey, readPublicKey, signingKeyId } from './keys';

const plainPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('a pair of keys', () => {
  let pair = { privateKey: '', publicKey: '' };
  const read = (pem: string, password = 'pond') => readPrivateKey(pem, 'cosign.key', async () => password);
  beforeAll(async () => {
    pair = await generateKeyPair('pond');
  });

  it('is written as cosign writes it, and opens with its password only', async () => {
    expect(pair.privateKey).toMatch(/^-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\n[\s\S]+\n-----END /);
    const json = Buffer.from(pair.privateKey.split('-----')[2] ?? '', 'base64').toString();
    expect(JSON.parse(json)).toMatchObject({
      kdf: { name: 'scrypt', params: { N: 65_536, r: 8, p: 1 } },
      cipher: { name: 'nacl/secretbox' },
    });
    expect(signingKeyId(await read(pair.privateKey))).toBe(signingKeyId(readPublicKey(pair.publicKey, 'cosign.pub')));
    await expect(read(pair.privateKey, 'lake')).rejects.toThrow(
      'The key cosign.key cannot be used: the password is wrong, or the file was changed.',
    );
  });

  it('may be a plain PEM', async () => {
    const { privateKey } = plainPair();
    for (const type of ['pkcs8', 'sec1'] as const) {
      const pem = String(privateKey.export({ type, format: 'pem' }));
      expect(signingKeyId(await read(pem))).toBe(signingKeyId(privateKey));
    }
  });

  it('is refused when it is something else, before scrypt takes much memory', async () => {
    const box = (file: object) =>
      `-----BEGIN ENCRYPTED COSIGN PRIVATE KEY-----\n${Buffer.from(JSON.stringify(file)).toString('base64')}\n-----END ENCRYPTED COSIGN PRIVATE KEY-----`;
    const cipher = { name: 'nacl/secretbox', nonce: Buffer.alloc(24).toString('base64') };
    const kdf = (params: object) => ({ name: 'scrypt', params, salt: '' });
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
    for (const [pem, why] of [
      ['nothing', 'it is neither a private key of cosign nor one in PEM'],
      [box({ kdf: { name: 'argon2' }, cipher }), 'it is not encrypted with scrypt'],
      [box({ kdf: kdf({ N: 2 ** 30, r: 8, p: 1 }), cipher }), 'its scrypt parameters are too large'],
      [box({ kdf: kdf({ N: 3, r: 8, p: 1 }), cipher }), 'its scrypt parameters are too large'],
      [
        box({ kdf: kdf({ N: 2, r: 8, p: 1 }), cipher: { ...cipher, nonce: 'AA==' } }),
        'its nonce does not have 24 bytes',
      ],
      [String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })), 'it is not an ECDSA key on the curve P-256'],
    ] as const) {
      await expect(read(pem)).rejects.toThrow(why);
    }
    expect(() => readPublicKey(pair.privateKey, 'a')).toThrow('it is a private key. Give the public one');
    expect(() => readPublicKey('x', 'a')).toThrow('it is not a public key in PEM');
  });
});

describe('the signature of an archive', () => {
  const [own, other] = [plainPair(), plainPair()];
  const policy = { owner: 'repository lab', keys: [own.publicKey] };
  const archive = Buffer.from('the archive');
  const altered = Buffer.from('the archivf');
  const check = (bytes: Uint8Array, evidence: Parameters<typeof checkSignatures>[2]) =>
    checkSignatures(bytes, 'pond.tgz', evidence, policy);
  const layer = { mediaType: PACKAGE_LAYER_TYPE, digest: digestOf(archive), size: archive.length };
  const text = formatManifest({
    artifactType: PACKAGE_TYPE,
    config: { ...layer, mediaType: 'a/b' },
    layers: [layer],
    annotations: { 'org.opencontainers.image.title': 'pond', 'dev.kudo.package.operator-version': '1.0.0' },
  });
  const signed = (key = own.privateKey, digest = digestOf(text)) => {
    const payload = signingPayload('r/pond', digest);
    return { payload, signature: signBytes(key, payload) };
  };

  it('counts when one of the keys made it, over these bytes', () => {
    const signature = signBytes(own.privateKey, archive);
    expect(check(archive, { detached: ['broken', signature] })).toBe(signingKeyId(own.publicKey));
    expect(() => check(altered, { detached: [signature] })).toThrow('its signature is not by key');
    expect(() => check(archive, { detached: [signBytes(other.privateKey, archive)] })).toThrow('another key signed it');
    expect(() => check(archive, { detached: [] })).toThrow('The package pond.tgz is refused: it is not signed');
  });

  it('refuses each byte of archive, signature, manifest and payload that is another', () => {
    const signature = Buffer.from(signBytes(own.privateKey, archive), 'base64');
    const whole = signed();
    const detached = (text: Uint8Array) => [Buffer.from(text).toString('base64')];
    const changed: { readonly [part: string]: readonly [Uint8Array, (bytes: Uint8Array) => unknown] } = {
      archive: [archive, (bytes) => check(bytes, { detached: detached(signature) })],
      signature: [signature, (bytes) => check(archive, { detached: detached(bytes) })],
      manifest: [
        Buffer.from(text),
        (bytes) =>
          check(archive, { detached: [], manifest: { text: Buffer.from(bytes).toString(), signatures: [whole] } }),
      ],
      payload: [
        Buffer.from(whole.payload),
        (bytes) =>
          check(archive, {
            detached: [],
            manifest: { text, signatures: [{ ...whole, payload: Buffer.from(bytes).toString() }] },
          }),
      ],
    };
    for (const [part, [bytes, act]] of Object.entries(changed)) {
      act(bytes);
      for (let at = 0; at < bytes.length; at++) {
        const other = Uint8Array.from(bytes);
        other[at] = (other[at] ?? 0) ^ 1;
        expect(() => act(other), `${part}, byte ${at}`).toThrow(/refused/);
      }
    }
  });

  it('may be that of the manifest which names the archive', () => {
    const evidence = (signatures: ReturnType<typeof signed>[]) => ({ detached: [], manifest: { text, signatures } });
    expect(check(archive, evidence([signed(other.privateKey), signed()]))).toBe(signingKeyId(own.publicKey));
    expect(() => check(altered, evidence([signed()]))).toThrow('its signature is not by key');
    expect(() => check(archive, evidence([signed(own.privateKey, digestOf('other'))]))).toThrow('is not by key');
    expect(() => check(archive, evidence([{ ...signed(), payload: 'changed' }]))).toThrow('is not by key');
    const manifest = { text: text.replace('pond', 'lake'), signatures: [signed()] };
    expect(() => check(archive, { detached: [], manifest })).toThrow('is not by key');
  });

  it('travels in a file beside the archive', () => {
    const bundle = { text, config: '{}', signatures: [signed()] };
    expect(parseBundle(formatBundle(bundle), 'f')).toEqual(bundle);
    expect(() => parseBundle('{"format":"x"}', 'f')).toThrow('f cannot be read: it is not JSON of the format');
  });
});
