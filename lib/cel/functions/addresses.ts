import { type Address, formatAddress, masked, parseAddress, parsePrefix } from '@/lib/net/ip-address';
import { opaqueType } from '../cel-type';
import { CelError, CelOpaque, type CelValue } from '../values';
import type { CelFunction, FunctionTable } from './function';

const IP = opaqueType('net.IP');
const CIDR = opaqueType('net.CIDR');

/** An IP address. */
export class CelIp extends CelOpaque {
  readonly type = IP;

  constructor(readonly address: Address) {
    super();
  }

  /** 4 or 16. */
  get bytes(): number {
    return this.address.width / 8;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelIp && same(this.address, other.address);
  }

  override toString(): string {
    return formatAddress(this.address);
  }
}

/** A range of addresses: the first `bits` bits are fixed. */
export class CelCidr extends CelOpaque {
  readonly type = CIDR;

  constructor(
    readonly address: Address,
    readonly bits: number,
  ) {
    super();
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelCidr && other.bits === this.bits && same(this.address, other.address);
  }

  override toString(): string {
    return `${formatAddress(this.address)}/${this.bits}`;
  }
}

const same = (a: Address, b: Address) => a.width === b.width && a.value === b.value;

function toIp(text: string): CelIp {
  const found = parseAddress(text);
  if (typeof found === 'string') {
    throw new CelError(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ${found}`);
  }
  if (found.hasZone) throw new CelError(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  if (isMapped(found)) throw new CelError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return new CelIp(found);
}

const UNREADABLE = 'network address parse error during conversion from string: ';

function toCidr(text: string): CelCidr {
  const found = parsePrefix(text);
  // Kubernetes repeats this prefix.
  if (typeof found === 'string') throw new CelError(`${UNREADABLE}${UNREADABLE}${found}`);
  if (isMapped(found.address)) {
    throw new CelError(`${UNREADABLE}IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  }
  return new CelCidr(found.address, found.bits);
}

const isMapped = ({ width, value }: Address) => width === 128 && value >> 32n === 0xffffn;

const ofIp =
  (look: (address: Address) => CelValue): CelFunction =>
  ([ip]) =>
    ip instanceof CelIp ? look(ip.address) : undefined;

const ofCidr =
  (look: (cidr: CelCidr) => CelValue): CelFunction =>
  ([cidr]) =>
    cidr instanceof CelCidr ? look(cidr) : undefined;

const reads =
  (read: (text: string) => CelValue): CelFunction =>
  ([text]) =>
    typeof text === 'string' ? read(text) : undefined;

const isReadable = (read: (text: string) => CelValue) =>
  reads((text) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  });

const startsWith = (bits4: number, value4: bigint, bits6: number, value6: bigint) => (address: Address) =>
  address.width === 32
    ? address.value >> BigInt(32 - bits4) === value4
    : address.value >> BigInt(128 - bits6) === value6;

const isLoopback = startsWith(8, 127n, 128, 1n);
const isLocalMulticast = startsWith(24, 0xe00000n, 16, 0xff02n);
const isLocalUnicast = startsWith(16, 0xa9fen, 10, 0x3fan);
const isMulticast = startsWith(4, 0xen, 8, 0xffn);

function isGlobalUnicast(address: Address): boolean {
  if (address.value === 0n || (address.width === 32 && address.value === 0xffffffffn)) return false;
  return !isLoopback(address) && !isMulticast(address) && !isLocalUnicast(address);
}

function holdsIp([cidr, other]: readonly CelValue[]): CelValue | undefined {
  if (!(cidr instanceof CelCidr)) return undefined;
  const ip = typeof other === 'string' ? toIp(other) : other;
  return ip instanceof CelIp ? covers(cidr, ip.address) : undefined;
}

function covers({ address, bits }: CelCidr, other: Address): boolean {
  return address.width === other.width && masked(address, bits).value === masked(other, bits).value;
}

function holdsCidr([cidr, given]: readonly CelValue[]): CelValue | undefined {
  if (!(cidr instanceof CelCidr)) return undefined;
  const other = typeof given === 'string' ? toCidr(given) : given;
  return other instanceof CelCidr ? other.bits >= cidr.bits && covers(cidr, other.address) : undefined;
}

/** Addresses and ranges of them (apiserver cel/library IP and CIDR). */
export const ADDRESS_FUNCTIONS: FunctionTable = [
  ['ip', reads(toIp)],
  ['ip', ofCidr(({ address }) => new CelIp(address))],
  ['isIP', isReadable(toIp)],
  ['ip.isCanonical', reads((text) => formatAddress(toIp(text).address) === text)],
  ['family', ofIp(({ width }) => (width === 32 ? 4n : 6n))],
  ['isUnspecified', ofIp(({ value }) => value === 0n)],
  ['isLoopback', ofIp(isLoopback)],
  ['isLinkLocalMulticast', ofIp(isLocalMulticast)],
  ['isLinkLocalUnicast', ofIp(isLocalUnicast)],
  ['isGlobalUnicast', ofIp(isGlobalUnicast)],
  ['cidr', reads(toCidr)],
  ['isCIDR', isReadable(toCidr)],
  ['containsIP', holdsIp],
  ['containsCIDR', holdsCidr],
  ['masked', ofCidr(({ address, bits }) => new CelCidr(masked(address, bits), bits))],
  ['prefixLength', ofCidr(({ bits }) => BigInt(bits))],
  ['string', ([value]) => (value instanceof CelIp || value instanceof CelCidr ? value.toString() : undefined)],
];
