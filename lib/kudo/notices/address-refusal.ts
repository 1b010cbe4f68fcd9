import { type Address, masked, parseAddress, parsePrefix } from '@/lib/net/ip-address';

const METADATA = 'a link-local address or a metadata service';
const LOCAL = 'this machine';

/**
 * Addresses that no notice is sent to: whoever may label a ConfigMap chooses the URL, and the request comes from the controller. Private
 * addresses are allowed, because receivers may be Services of the cluster.
 */
const REFUSED: readonly (readonly [range: string, what: string])[] = [
  ['169.254.0.0/16', METADATA],
  ['fe80::/10', METADATA],
  // AWS by IPv6, Alibaba Cloud, and Azure have theirs elsewhere.
  ['fd00:ec2::/32', METADATA],
  ['100.100.100.200/32', METADATA],
  ['168.63.129.16/32', METADATA],
  ['127.0.0.0/8', LOCAL],
  ['0.0.0.0/8', LOCAL],
  ['::/127', LOCAL],
  ['224.0.0.0/3', 'no address of one machine'],
  ['ff00::/8', 'no address of one machine'],
];

/** Ranges of IPv6 whose last 32 bits are an IPv4 address: mapped, compatible, NAT64. */
const HOLDS_IPV4 = ['::ffff:0:0/96', '::/96', '64:ff9b::/96'];

/**
 * What a resolved address is, when no notice may go there; undefined when it may.
 *
 * @param allowLocal this machine may be a receiver, for tests and the sandbox
 */
export function addressRefusal(text: string, allowLocal: boolean): string | undefined {
  const address = parseAddress(text);
  if (typeof address === 'string') return 'no IP address';
  const found = refusalOf(address) ?? refusalOf(ipv4In(address));
  return found === LOCAL && allowLocal ? undefined : found;
}

function refusalOf(address: Address | undefined): string | undefined {
  if (address === undefined) return undefined;
  return REFUSED.find(([range]) => isIn(address, range))?.[1];
}

function ipv4In(address: Address): Address | undefined {
  if (!HOLDS_IPV4.some((range) => isIn(address, range))) return undefined;
  return { width: 32, value: address.value & 0xffff_ffffn, hasZone: false };
}

function isIn(address: Address, range: string): boolean {
  const prefix = parsePrefix(range);
  if (typeof prefix === 'string' || prefix.address.width !== address.width) return false;
  return masked(address, prefix.bits).value === prefix.address.value;
}
