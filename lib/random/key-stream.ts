import { chacha20 } from '@noble/ciphers/chacha.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Random } from './random';

/** Length of a key for {@link keyStream}, in bytes. */
export const STREAM_KEY_BYTES = 32;

/** ChaCha20 counts blocks of 64 bytes; one chunk of 1 KiB is enough for nearly every template. */
const CHUNK_BYTES = 1_024;
const BLOCK_BYTES = 64;
const NONCE = new Uint8Array(12);
const ZEROES = new Uint8Array(CHUNK_BYTES);

/**
 * Random bytes that are determined by a secret key and a purpose: the ChaCha20 key stream (RFC 8439) of the key that
 * HKDF-SHA256 (RFC 5869) derives for the purpose. The same key and purpose give the same bytes again; nobody without the key
 * can tell them from chance, and the stream of one purpose says nothing about that of another one.
 *
 * @param key 32 bytes of the operating system; it is read at the first draw
 * @param purpose any text; what the bytes are for
 * @throws Error for a key of another length, and after 256 GiB
 */
export function keyStream(key: Uint8Array, purpose: string): Random {
  if (key.length !== STREAM_KEY_BYTES) throw new Error(`a stream key has ${STREAM_KEY_BYTES} bytes, not ${key.length}`);
  let derived: Uint8Array | undefined;
  let chunk = new Uint8Array(0);
  let used = 0;
  let block = 0;
  const nextChunk = (): void => {
    derived ??= hkdf(sha256, key, undefined, utf8ToBytes(purpose), STREAM_KEY_BYTES);
    if (block > 0xffff_ffff) throw new Error('the stream of this key is used up');
    chunk = chacha20(derived, NONCE, ZEROES, undefined, block);
    block += CHUNK_BYTES / BLOCK_BYTES;
    used = 0;
  };
  return {
    bytes(length) {
      const result = new Uint8Array(length);
      for (let filled = 0; filled < length; ) {
        if (used === chunk.length) nextChunk();
        const piece = chunk.subarray(used, used + length - filled);
        result.set(piece, filled);
        filled += piece.length;
        used += piece.length;
      }
      return result;
    },
  };
}
