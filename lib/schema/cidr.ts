import { ipBytes } from '@/lib/x509/ip-bytes';

/** True when the network `inner` lies within `outer` and is smaller; both are valid CIDR texts. */
export function isStrictlyWithin(inner: string, outer: string): boolean {
  const [innerAddress = '', innerBits = ''] = inner.split('/');
  const [outerAddress = '', outerBits = ''] = outer.split('/');
  const bits = Number(outerBits);
  const [a, b] = [ipBytes(innerAddress), ipBytes(outerAddress)];
  if (a === undefined || b === undefined || a.length !== b.length || Number(innerBits) <= bits) return false;
  return [...b].every((byte, index) => {
    const left = Math.min(8, Math.max(0, bits - index * 8));
    const mask = (0xff << (8 - left)) & 0xff;
    return (byte & mask) === ((a[index] ?? 0) & mask);
  });
}
