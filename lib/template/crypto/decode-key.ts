import { objectId } from '@/lib/x509/der';
import { readElements, readIntegers, readSequence } from '@/lib/x509/read-der';
import { GoError } from '../template-error';
import { EC_ID, ED25519_ID, ecKey, type PrivateKey, RSA_ID, rsaKey } from './keys';
import { decodePem } from './pem';

/** A private key from PEM. @throws GoError with Sprig's message */
export function decodeKey(pem: string): PrivateKey {
  const block = decodePem(pem);
  if (block === undefined) throw new GoError('no PEM data in input');
  if (block.type === 'PRIVATE KEY') {
    return decodePkcs8(block.bytes) ?? malformed('decoding PEM as PKCS#8: asn1: structure error');
  }
  if (!block.type.endsWith(' PRIVATE KEY')) {
    throw new GoError(`no private key data in PEM block of type ${block.type}`);
  }
  const kind = block.type.slice(0, -' PRIVATE KEY'.length);
  switch (kind) {
    case 'RSA':
      return rsaKey(block.bytes) ?? malformed('parsing RSA private key from PEM: asn1: structure error');
    case 'EC':
      return decodeEc(block.bytes) ?? malformed('parsing EC private key from PEM: asn1: structure error');
    case 'DSA':
      if (readIntegers(block.bytes)?.length !== 6) malformed('parsing DSA private key from PEM: asn1: structure error');
      return { kind: 'dsa', der: block.bytes };
    default:
      throw new GoError(`invalid private key type ${block.type}`);
  }
}

function malformed(message: string): never {
  throw new GoError(message);
}

/** @param given the curve's identifier outside of the key, as in PKCS #8 */
function decodeEc(bytes: Uint8Array, given?: Uint8Array): PrivateKey | undefined {
  const [, secret, ...rest] = readSequence(bytes) ?? [];
  if (secret?.tag !== 4) return undefined;
  return ecKey(given ?? rest.find(({ tag }) => tag === 0xa0)?.content, secret.content);
}

function decodePkcs8(bytes: Uint8Array): PrivateKey | undefined {
  const [, algorithm, content] = readSequence(bytes) ?? [];
  if (algorithm === undefined || content?.tag !== 4) return undefined;
  const [id, parameter] = readElements(algorithm.content) ?? [];
  const shown = String(id?.whole);
  if (shown === String(objectId(RSA_ID))) return rsaKey(content.content);
  if (shown === String(objectId(EC_ID))) return decodeEc(content.content, parameter?.whole);
  if (shown !== String(objectId(ED25519_ID))) return undefined;
  const [seed] = readElements(content.content) ?? [];
  return seed?.tag === 4 && seed.content.length === 32 ? { kind: 'ed25519', seed: seed.content } : undefined;
}
