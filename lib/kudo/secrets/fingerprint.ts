import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Keyed fingerprints: they tell whether a secret text has changed and nothing else, not even to somebody who guesses.
 *
 * A fingerprint is `<key id>:<hash>`: 8 hex digits that name the key, and 32 of the HMAC-SHA256 of the text.
 */
export interface Fingerprinter {
  of(text: string): string;
  /**
   * Proves that a holder of the key wrote the text. It is never the fingerprint of a text: people read those of values that they choose.
   */
  signatureOf(text: string): string;
  /** True when it was made with this key, so that it can be compared with others of this key. */
  isComparable(fingerprint: string): boolean;
}

const HASH_BYTES = 16;
const ID_BYTES = 4;

/** @param key 32 secret bytes */
export function fingerprinter(key: Uint8Array): Fingerprinter {
  const hash = (text: string, bytes: number) => bytesToHex(hmac(sha256, key, utf8ToBytes(text)).subarray(0, bytes));
  const prefix = `${hash('the name of this key', ID_BYTES)}:`;
  return {
    of: (text) => `${prefix}${hash(`text ${text}`, HASH_BYTES)}`,
    signatureOf: (text) => `${prefix}${hash(`signed ${text}`, HASH_BYTES)}`,
    isComparable: (fingerprint) => fingerprint.startsWith(prefix),
  };
}

/** True for a text that has the form of a fingerprint, whatever its key. */
export function isFingerprint(text: string): boolean {
  return /^[0-9a-f]{8}:[0-9a-f]{32}$/.test(text);
}
