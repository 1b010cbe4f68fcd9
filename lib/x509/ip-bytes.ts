import { numberToBytesBE } from '@noble/curves/utils.js';
import { parseAddress } from '@/lib/net/ip-address';

/**
 * The 4 bytes of an IPv4 address (also of one that is mapped into IPv6) or the 16 bytes of an IPv6 address, as Go's net.ParseIP
 * reads them; undefined for any other text.
 */
export function ipBytes(text: string): Uint8Array | undefined {
  const address = parseAddress(text);
  if (typeof address === 'string' || address.hasZone) return undefined;
  const isMapped = address.width === 128 && address.value >> 32n === 0xffffn;
  return isMapped
    ? numberToBytesBE(address.value & 0xffff_ffffn, 4)
    : numberToBytesBE(address.value, address.width / 8);
}
