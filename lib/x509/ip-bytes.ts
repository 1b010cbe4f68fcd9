/** The 4 or 16 bytes of an IP address (`127.0.0.1`, `::1`, `fe80::1`), or undefined for a text that is none. */
export function ipBytes(text: string): Uint8Array | undefined {
  return text.includes(':') ? ipv6(text) : ipv4(text);
}

function ipv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined;
  return Uint8Array.from(parts.map(Number));
}

function ipv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [before = [], after = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...before, ...after];
  const left = 8 - groups.length;
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) || (halves.length === 2 ? left < 1 : left !== 0))
    return undefined;
  const whole = [...before, ...Array<string>(left).fill('0'), ...after].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(whole.flatMap((group) => [group >> 8, group & 0xff]));
}
