import { createHash } from 'node:crypto';
import { TerminalError } from '@/lib/errors/errors';

/** SHA-256 in hex. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** `sha256:` and the SHA-256 in hex. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${sha256Hex(bytes)}`;
}

/** @throws TerminalError `DigestMismatch` when the bytes have another SHA-256 */
export function checkDigestOf(bytes: Uint8Array, digest: string, place: string): void {
  if (digestOf(bytes) === digest) return;
  throw new TerminalError(`${place} is not what it says: its SHA-256 is not ${digest}.`, 'DigestMismatch');
}
