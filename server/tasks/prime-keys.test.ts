import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { primeKeys } from './prime-keys';

const rsa = (seed: string, bits = 1_024) => primeKeys.generateRsa(bits, seededRandom(seed));
const opened = (der: Uint8Array) => createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs1' });

describe('RSA keys out of a random source', () => {
  it('are the same for the same bytes, and others for other bytes', () => {
    expect(rsa('a')).toEqual(rsa('a'));
    expect(rsa('a')).not.toEqual(rsa('b'));
  });

  it.each([1_024, 2_048, 4_096])('have exactly %s bits and the exponent 65537', (bits) => {
    expect(opened(rsa('size', bits)).asymmetricKeyDetails).toEqual({ modulusLength: bits, publicExponent: 65_537n });
  });

  it('make signatures that OpenSSL verifies', () => {
    const [key, message] = [rsa('sign'), Buffer.from('bravo')];
    expect(verify('sha256', message, createPublicKey(opened(key)), primeKeys.signWithRsa(key, message))).toBe(true);
  });

  it('are refused when they are not keys', () => {
    expect(() => primeKeys.signWithRsa(Uint8Array.of(0x30, 0), new Uint8Array())).toThrow();
  });
});

describe('DSA keys out of a random source', () => {
  it('are the same for the same bytes', () => {
    expect(primeKeys.generateDsa(seededRandom('d'))).toEqual(primeKeys.generateDsa(seededRandom('d')));
  });
});
