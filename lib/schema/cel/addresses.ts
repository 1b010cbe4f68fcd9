import { isIpv4 } from '../formats';

/** The bits of a valid address as text of 0 and 1: 32 for IPv4, 128 for IPv6. */
export function addressBits(address: string): string {
  if (isIpv4(address))
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  return groupsOf(address)
    .map((group) => group.toString(2).padStart(16, '0'))
    .join('');
}

/** IPv6 in its short form, with the longest run of zeros as `::`; IPv4 as it is. */
export function canonicalAddress(address: string): string {
  if (isIpv4(address)) return address;
  const text = groupsOf(address)
    .map((group) => group.toString(16))
    .join(':');
  const runs = [...text.matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)].sort((a, b) => b[0].length - a[0].length);
  const [longest] = runs;
  if (longest?.index === undefined) return text;
  const before = text.slice(0, longest.index).replace(/:$/, '');
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const first = partsOf(head);
  if (tail === undefined) return first;
  const last = partsOf(tail);
  const zeros: number[] = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last];
}

function partsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
