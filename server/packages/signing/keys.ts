import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import { secretbox } from '@noble/ciphers/salsa.js';
import { TerminalError } from '@/lib/errors/errors';
import { getAt, type JsonObject, numberAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';

/**
 * Keys as cosign keeps them: ECDSA on P-256. The public key is a PEM `PUBLIC KEY`. The private key is PKCS #8, encrypted with
 * NaCl's secretbox under a key that scrypt makes of the password, as JSON in a PEM `ENCRYPTED SIGSTORE PRIVATE KEY`:
 *
 * ```
 * {"kdf": {"name": "scrypt", "params": {"N": 65536, "r": 8, "p": 1}, "salt": BASE64},
 *  "cipher": {"name": "nacl/secretbox", "nonce": BASE64}, "ciphertext": BASE64}
 * ```
 *
 * Source: cosign pkg/cosign/keys.go, go-securesystemslib/encrypted.
 */
const ENCRYPTED_LABEL = 'ENCRYPTED SIGSTORE PRIVATE KEY';
const ENCRYPTED_PEM =
  /^-----BEGIN ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY-----\s([A-Za-z0-9+/=\s]*)-----END ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY-----\s*$/;

/** The cost of new keys, and the most that a file may ask for: 128·N·r bytes of memory. */
const COST = { N: 65_536, r: 8, p: 1 };
const MOST_BYTES = 256 * 1024 * 1024;
const KEY_BYTES = 32;
const NONCE_BYTES = 24;

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** A new pair: the private key encrypted with the password, which may be empty. Both are PEM. */
export async function generateKeyPair(password: string): Promise<{ privateKey: string; publicKey: string }> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [salt, nonce] = [randomBytes(KEY_BYTES), randomBytes(NONCE_BYTES)];
  const key = await deriveKey(password, salt, COST);
  const box = secretbox(key, nonce).seal(pair.privateKey.export({ type: 'pkcs8', format: 'der' }));
  const file = {
    kdf: { name: 'scrypt', params: COST, salt: salt.toString('base64') },
    cipher: { name: 'nacl/secretbox', nonce: nonce.toString('base64') },
    ciphertext: Buffer.from(box).toString('base64'),
  };
  return {
    privateKey: pemOf(ENCRYPTED_LABEL, JSON.stringify(file)),
    publicKey: String(pair.publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

/**
 * Reads a private key: encrypted as cosign does it, or a PEM `PRIVATE KEY` or `EC PRIVATE KEY`.
 *
 * @param place names the file in messages
 * @param password is asked for only when the key is encrypted
 * @throws TerminalError `KeyInvalid` when it cannot be read, or the password is wrong
 */
export async function readPrivateKey(pem: string, place: string, password: () => Promise<string>): Promise<KeyObject> {
  const body = pem.length > limits.publicKeyBytes ? undefined : ENCRYPTED_PEM.exec(pem.trim())?.[1];
  try {
    if (body === undefined) return requireP256(createPrivateKey(pem), place);
    const der = await decrypt(Buffer.from(body, 'base64').toString('utf8'), place, await password());
    return requireP256(createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' }), place);
  } catch (error) {
    if (error instanceof TerminalError) throw error;
    throw invalid(place, 'it is neither a private key of cosign nor one in PEM');
  }
}

/** Reads a public key in PEM. @throws TerminalError `KeyInvalid` */
export function readPublicKey(pem: string, place: string): KeyObject {
  if (/PRIVATE KEY/.test(pem)) throw invalid(place, 'it is a private key. Give the public one, cosign.pub');
  try {
    return requireP256(createPublicKey(pem), place);
  } catch (error) {
    if (error instanceof TerminalError) throw error;
    throw invalid(place, 'it is not a public key in PEM');
  }
}

/** The SHA-256 of a public key (SubjectPublicKeyInfo) in hex; of a private key, that of its public one. */
export function signingKeyId(key: KeyObject): string {
  const own = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(own.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

async function decrypt(text: string, place: string, password: string): Promise<Uint8Array> {
  const file = parseJsonObject(text) ?? {};
  const names = [stringAt(file, 'kdf', 'name'), stringAt(file, 'cipher', 'name')].join(' ');
  if (names !== 'scrypt nacl/secretbox') throw invalid(place, 'it is not encrypted with scrypt and nacl/secretbox');
  const [salt, nonce, ciphertext] = [
    bytesAt(file, 'kdf', 'salt'),
    bytesAt(file, 'cipher', 'nonce'),
    bytesAt(file, 'ciphertext'),
  ];
  if (nonce.length !== NONCE_BYTES) throw invalid(place, `its nonce does not have ${NONCE_BYTES} bytes`);
  const cost = costOf(getAt(file, 'kdf', 'params'));
  if (cost === undefined) throw invalid(place, 'its scrypt parameters are too large or no numbers');
  const key = await deriveKey(password, salt, cost);
  try {
    return secretbox(key, nonce).open(ciphertext);
  } catch {
    throw invalid(place, 'the password is wrong, or the file was changed');
  }
}

function costOf(params: unknown): typeof COST | undefined {
  const [N = 0, r = 0, p = 0] = ['N', 'r', 'p'].map((name) => numberAt(params, name));
  const isPower = Number.isInteger(Math.log2(N)) && N > 1;
  const isSmall = Number.isInteger(r) && r > 0 && Number.isInteger(p) && p > 0 && p <= 16 && 128 * N * r <= MOST_BYTES;
  return isPower && isSmall ? { N, r, p } : undefined;
}

function deriveKey(password: string, salt: Uint8Array, cost: typeof COST): Promise<Buffer> {
  return derive(password, salt, KEY_BYTES, { ...cost, maxmem: MOST_BYTES + 1024 * 1024 });
}

function bytesAt(file: JsonObject, ...path: string[]): Uint8Array {
  return Buffer.from(stringAt(file, ...path) ?? '', 'base64');
}

function pemOf(label: string, text: string): string {
  const lines =
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function requireP256(key: KeyObject, place: string): KeyObject {
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw invalid(place, 'it is not an ECDSA key on the curve P-256, which cosign makes');
}

function invalid(place: string, why: string): TerminalError {
  return new TerminalError(`The key ${place} cannot be used: ${why}.`, 'KeyInvalid');
}
