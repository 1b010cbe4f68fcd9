import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { formatTime } from '@/lib/clock/clock';

/**
 * The uid of the execution of a slot: derived from the schedule's uid and the slot. So whoever starts the slot, and however often, it is one
 * execution.
 */
export function slotUid(scheduleUid: string, slotMs: number): string {
  return derivedUid('bravo.kudo.dev/slot', `${scheduleUid}\n${formatTime(slotMs)}`);
}

/** A UUID of version 8 (RFC 9562) from SHA-256 over both texts. */
export function derivedUid(purpose: string, text: string): string {
  const bytes = sha256(utf8ToBytes(`${purpose}\n${text}`)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytesToHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
