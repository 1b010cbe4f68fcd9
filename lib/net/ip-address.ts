/** An address as a number of 32 or 128 bits. */
export interface Address {
  readonly width: 32 | 128;
  readonly value: bigint;
  /** True for `fe80::1%eth0`. */
  readonly hasZone: boolean;
}

const fault = (text: string, problem: string) => `ParseAddr(${JSON.stringify(text)}): ${problem}`;

/** The address in a text, or Go's error message (net/netip ParseAddr). */
export function parseAddress(text: string): Address | string {
  for (const each of text) {
    if (each === '.') return parseIpv4(text, text);
    if (each === ':') return parseIpv6(text);
    if (each === '%') return fault(text, 'missing IPv6 address');
  }
  return fault(text, 'unable to parse IP');
}

function parseIpv4(text: string, whole: string): Address | string {
  const parts = text.split('.');
  let value = 0n;
  let rest = text.length;
  for (const [index, part] of parts.entries()) {
    const bad = /\D/.exec(part);
    if (bad !== null) {
      const at = text.slice(text.length - rest + bad.index);
      return fault(whole, `unexpected character (at ${JSON.stringify(at)})`);
    }
    if (part === '') {
      return fault(whole, `IPv4 field must have at least one digit${at(text, rest, index === parts.length - 1)}`);
    }
    if (part.length > 1 && part.startsWith('0')) return fault(whole, 'IPv4 field has octet with leading zero');
    if (Number(part) > 255) return fault(whole, 'IPv4 field has value >255');
    if (index > 3) return fault(whole, 'IPv4 address too long');
    value = value * 256n + BigInt(part);
    rest -= part.length + 1;
  }
  return parts.length < 4 ? fault(whole, 'IPv4 address too short') : { width: 32, value, hasZone: false };
}

const at = (text: string, rest: number, isLast: boolean) =>
  ` (at ${JSON.stringify(isLast ? text.slice(-1) : text.slice(text.length - rest))})`;

function parseIpv6(text: string): Address | string {
  const percent = text.indexOf('%');
  const body = percent === -1 ? text : text.slice(0, percent);
  if (percent === text.length - 1 && percent !== -1) return fault(text, 'zone must be a non-empty string');
  const halves = body.split('::');
  if (halves.length > 2) return fault(text, 'multiple :: in address');
  const [head = '', tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (typeof head === 'string' || typeof tail === 'string') return fault(text, sixProblem(body));
  const known = head.length + (tail?.length ?? 0);
  if (tail === undefined ? known !== 8 : known > 7)
    return fault(text, known < 8 ? 'address string too short' : 'trailing garbage after address');
  const groups = [...head, ...Array.from({ length: 8 - known }, () => 0), ...(tail ?? [])];
  const value = groups.reduce((sum, group) => sum * 65_536n + BigInt(group), 0n);
  return { width: 128, value, hasZone: percent !== -1 };
}

function sixProblem(body: string): string {
  const bad = /[^0-9a-fA-F:.]/.exec(body);
  if (bad !== null) return `unexpected character, want colon (at ${JSON.stringify(body.slice(bad.index))})`;
  return 'each group must have 4 or fewer hex digits';
}

/** The groups of one side of `::`, or a text that says what is wrong. Only the last group of an address may be IPv4. */
function groupsOf(half: string, isLastHalf: boolean): number[] | string {
  if (half === '') return [];
  const groups: number[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.') && isLastHalf && index === parts.length - 1) {
      const four = parseIpv4(part, part);
      if (typeof four === 'string') return four;
      groups.push(Number(four.value >> 16n), Number(four.value & 0xffffn));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return 'group';
  }
  return groups;
}

/** The short form of Go's net/netip: no leading zeros, the longest run of zeros as `::`. */
export function formatAddress({ width, value }: Address): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn));
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
  }
  const hex = (part: readonly number[]) => part.map((each) => each.toString(16)).join(':');
  if (best.length < 2) return hex(groups);
  return `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.length))}`;
}

/** Keeps the first `bits` bits of an address; the others become zero. */
export function masked(address: Address, bits: number): Address {
  const shift = BigInt(address.width - bits);
  return { ...address, value: (address.value >> shift) << shift };
}

/** A range such as `10.0.0.0/8`, or Go's error message (net/netip ParsePrefix). */
export function parsePrefix(text: string): { readonly address: Address; readonly bits: number } | string {
  const wrong = (problem: string) => `netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`;
  const slash = text.lastIndexOf('/');
  if (slash === -1) return wrong("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (typeof address === 'string') return wrong(address);
  if (address.hasZone) return wrong('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^[0-9]+$/.test(bits) || (bits.length > 1 && bits.startsWith('0'))) {
    return wrong(`bad bits after slash: ${JSON.stringify(bits)}`);
  }
  return Number(bits) > address.width ? wrong('prefix length out of range') : { address, bits: Number(bits) };
}
