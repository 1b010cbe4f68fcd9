import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { keyStream } from './key-stream';

const KEY = hexToBytes('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('the stream of a key', () => {
  it('gives the same bytes for the same key and purpose, however they are drawn', () => {
    const whole = keyStream(KEY, 'deploy/main/secret').bytes(3_000);
    const pieces = keyStream(KEY, 'deploy/main/secret');
    const drawn = Buffer.concat([pieces.bytes(1), pieces.bytes(1_023), pieces.bytes(0), pieces.bytes(1_976)]);
    expect(hex(drawn)).toBe(hex(whole));
  });

  it('gives other bytes for another purpose and for another key', () => {
    const bytes = hex(keyStream(KEY, 'a').bytes(32));
    expect(hex(keyStream(KEY, 'b').bytes(32))).not.toBe(bytes);
    expect(
      hex(
        keyStream(
          KEY.map((byte) => byte ^ 1),
          'a',
        ).bytes(32),
      ),
    ).not.toBe(bytes);
  });

  it('is HKDF-SHA256 and ChaCha20, as node:crypto has them', async () => {
    const { hkdfSync, createCipheriv } = await import('node:crypto');
    const derived = Buffer.from(hkdfSync('sha256', KEY, Buffer.alloc(0), 'purpose', 32));
    const reference = createCipheriv('chacha20', derived, Buffer.alloc(16)).update(Buffer.alloc(2_500));
    expect(hex(keyStream(KEY, 'purpose').bytes(2_500))).toBe(hex(reference));
  });

  it('refuses a key of another length', () => {
    expect(() => keyStream(KEY.subarray(1), 'a')).toThrow('32 bytes, not 31');
  });
});
