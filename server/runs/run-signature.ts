import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject } from '@/lib/json/json';
import type { RunSignature } from '@/lib/kudo/runs/plan-run';
import type { Api, Target } from '@/server/kube/api';

/** The ConfigMap with the public keys that sign runs, in the namespace of the lease: `KEYID.pem` each, and `current`. */
export const SIGNING_KEYS_CONFIG_MAP = 'bravo-signing-keys';
/** Its member that names the key of new signatures. */
export const CURRENT_KEY = 'current';
const PEM_SUFFIX = '.pem';

/** PKCS #8 of an Ed25519 key is this, and its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs texts with one Ed25519 key. */
export interface RunSigner {
  /** SHA-256 of the public key, 64 hex digits. */
  readonly keyId: string;
  /** PEM. */
  readonly publicKey: string;
  sign(text: string): RunSignature;
}

/** @param seed the 32 secret bytes of an Ed25519 key (RFC 8032) */
export function runSigner(seed: Uint8Array): RunSigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key);
  const keyId = keyIdOf(publicKey);
  return {
    keyId,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => ({ keyId, value: sign(null, Buffer.from(text), key).toString('base64') }),
  };
}

/** Public keys that sign runs. */
export interface PublicKeys {
  has(keyId: string): boolean;
  /** True when that key signed the text. */
  verify(text: string, signature: RunSignature): boolean;
}

/** Keys by their own ids, whatever names they have. Of PEM texts that hold no Ed25519 public key there is none. */
export function publicKeys(pems: readonly string[]): PublicKeys {
  const keys = new Map<string, KeyObject>();
  for (const pem of pems) {
    const key = readPublicKey(pem);
    if (key !== undefined) keys.set(keyIdOf(key), key);
  }
  return {
    has: (keyId) => keys.has(keyId),
    verify: (text, { keyId = '', value = '' }) => {
      const key = keys.get(keyId);
      const bytes = Buffer.from(value, 'base64');
      // Base64 has many texts for the same bytes; a signature has one.
      if (key === undefined || bytes.toString('base64') !== value) return false;
      return verify(null, Buffer.from(text), key, bytes);
    },
  };
}

/** The id of the Ed25519 public key in a PEM text; undefined for any other text. */
export function keyIdOfPem(pem: string): string | undefined {
  const key = readPublicKey(pem);
  return key === undefined ? undefined : keyIdOf(key);
}

/** What the ConfigMap with the public keys says. */
export interface PublishedKeys {
  /** The id of the key of new signatures; undefined when it is not said. */
  readonly current: string | undefined;
  /** PEM by id. */
  readonly pemById: ReadonlyMap<string, string>;
}

/**
 * The public keys of a cluster.
 *
 * @param namespace of the controllers' lease
 * @throws TerminalError `NotFound` when no controller has published any; whatever the API says
 */
export async function readPublishedKeys(api: Api, namespace: string): Promise<PublishedKeys> {
  const found = await api.get(signingKeysTarget(namespace));
  if (found === undefined) {
    throw new TerminalError(
      `ConfigMap ${namespace}/${SIGNING_KEYS_CONFIG_MAP} does not exist: no controller has published a key there. Name the namespace of the controllers' lease with --lease-namespace.`,
      'NotFound',
    );
  }
  const data = isJsonObject(found.data) ? found.data : {};
  const texts = Object.entries(data).flatMap(([name, text]) =>
    name.endsWith(PEM_SUFFIX) && typeof text === 'string' ? [text] : [],
  );
  const pemById = new Map(texts.flatMap((pem) => pairs(keyIdOfPem(pem), pem)));
  return { current: typeof data[CURRENT_KEY] === 'string' ? data[CURRENT_KEY] : undefined, pemById };
}

function pairs(keyId: string | undefined, pem: string): [string, string][] {
  return keyId === undefined ? [] : [[keyId, pem]];
}

/** The ConfigMap with the public keys. */
export function signingKeysTarget(namespace: string): Target & { readonly name: string } {
  return { group: '', version: 'v1', resource: 'configmaps', namespace, name: SIGNING_KEYS_CONFIG_MAP };
}

/** What the ConfigMap says of a key. */
export function publishedData({ keyId, publicKey }: RunSigner): { [name: string]: string } {
  return { [CURRENT_KEY]: keyId, [`${keyId}${PEM_SUFFIX}`]: publicKey };
}

function readPublicKey(pem: string): KeyObject | undefined {
  // A private key would be read too, as its public one: a person who passes one is told that it is the wrong file.
  if (!pem.trimStart().startsWith('-----BEGIN PUBLIC KEY-----')) return undefined;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}
