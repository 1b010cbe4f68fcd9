import { cbc } from '@noble/ciphers/aes.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { messageOf } from '@/lib/errors/errors';
import { bcryptHash } from '../crypto/bcrypt';
import { derivePassword, isPasswordKind } from '../crypto/derive-password';
import { encodeKey, generateKey } from '../crypto/keys';
import { decodeBase64, encodeBase64 } from '../encoding/base64';
import { GoError } from '../template-error';
import { fromArray, toArray } from '../value/bytes';
import { certificateFunctions } from './certificates';
import { type CallContext, fn, type GoFunctionTable } from './define';

/** What the slow functions cost of the step budget, so that a loop over them ends in time. */
export const COSTS = {
  bcrypt: 200_000,
  scrypt: 300_000,
  rsa4096: 250_000,
  rsa2048: 60_000,
  dsa: 200_000,
  curve: 5_000,
};

/** Sprig's crypto.go. Random bytes come from the run's source. */
export const cryptoFunctions: GoFunctionTable = {
  sha1sum: fn(['string'], (context, text) => hex(sha1(charged(context, text)))),
  sha256sum: fn(['string'], (context, text) => hex(sha256(charged(context, text)))),
  sha512sum: fn(['string'], (context, text) => hex(sha512(charged(context, text)))),
  adler32sum: fn(['string'], (_, text) => String(adler32(text))),
  bcrypt: fn(['string'], (context, text) => bcrypt(context, text)),
  htpasswd: fn(['string', 'string'], (context, user, password) =>
    user.includes(':') ? `invalid username: ${user}` : `${user}:${bcrypt(context, password)}`,
  ),
  derivePassword: fn(
    ['uint32', 'string', 'string', 'string', 'string'],
    (context, ...[counter, kind, password, user, site]) => {
      if (!isPasswordKind(kind)) return `cannot find password template ${kind}`;
      context.budget.step(COSTS.scrypt);
      return derivePassword({ counter, kind, password, user, site });
    },
  ),
  genPrivateKey: fn(['string'], genPrivateKey),
  encryptAES: fn(['string', 'string'], (context, password, text) => encrypt(context, password, text)),
  decryptAES: fn(['string', 'string'], (_, password, text) => decrypt(password, text)),
  ...certificateFunctions,
};

function charged(context: CallContext, text: string): Uint8Array {
  context.budget.step(Math.ceil(text.length / 1024));
  return toArray(text);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function adler32(text: string): number {
  let [a, b] = [1, 0];
  for (let index = 0; index < text.length; index++) {
    a = (a + text.charCodeAt(index)) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

function bcrypt(context: CallContext, password: string): string {
  const salt = context.environment.random.bytes(16);
  try {
    if (password.length <= 72) context.budget.step(COSTS.bcrypt);
    return bcryptHash(password, salt);
  } catch (error) {
    if (error instanceof GoError) return `failed to encrypt string with bcrypt: ${messageOf(error)}`;
    throw error;
  }
}

function genPrivateKey(context: CallContext, kind: string): string {
  const isKnown = kind !== 'ed25519' || context.compatibility === 'sprig3';
  const isRsa = kind === '' || kind === 'rsa';
  context.budget.step(isRsa ? COSTS.rsa4096 : kind === 'dsa' ? COSTS.dsa : COSTS.curve);
  const key = isKnown ? generateKey(context, kind) : undefined;
  return key === undefined ? `Unknown type ${kind}` : encodeKey(key);
}

/** The password itself is the key, cut or filled with zeros to 32 bytes. */
function aesKey(password: string): Uint8Array {
  const key = new Uint8Array(32);
  key.set(toArray(password.slice(0, 32)));
  return key;
}

function encrypt(context: CallContext, password: string, text: string): string {
  if (text === '') return '';
  const iv = context.environment.random.bytes(16);
  const content = cbc(aesKey(password), iv).encrypt(charged(context, text));
  return encodeBase64(fromArray(iv) + fromArray(content));
}

function decrypt(password: string, encoded: string): string {
  if (encoded === '') return '';
  const bytes = toArray(decodeBase64(encoded));
  if (bytes.length < 16) {
    // Go's decoder allocates three bytes for each four characters.
    const capacity = Math.floor(encoded.replace(/[\r\n]/g, '').length / 4) * 3;
    throw new GoError(`runtime error: slice bounds out of range [:16] with capacity ${capacity}`);
  }
  const content = bytes.subarray(16);
  if (content.length % 16 !== 0) throw new GoError('crypto/cipher: input not full blocks');
  if (content.length === 0) throw new GoError('runtime error: index out of range [-1]');
  const plain = cbc(aesKey(password), bytes.subarray(0, 16), { disablePadding: true }).decrypt(content);
  const padding = plain[plain.length - 1] ?? 0;
  if (padding > plain.length)
    throw new GoError(`runtime error: slice bounds out of range [:${plain.length - padding}]`);
  return fromArray(plain.subarray(0, plain.length - padding));
}
