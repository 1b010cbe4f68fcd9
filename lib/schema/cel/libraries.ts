import type { Environment } from '@marcbachmann/cel-js';
import { isJsonObject, jsonEqual } from '@/lib/json/json';
import { parseQuantity, type Quantity } from '@/lib/kube/quantity';
import { isCidr, isIp, isIpv4 } from '../formats';
import { safePattern } from '../safe-pattern';
import { addressBits, canonicalAddress } from './addresses';
import { registerAuthorizer } from './authorizer';
import { registerSets } from './sets';

/** A Kubernetes quantity inside CEL. */
export class CelQuantity {
  readonly amount: Quantity;
  constructor(amount: Quantity) {
    this.amount = amount;
  }
}

export class CelUrl {
  readonly url: URL;
  constructor(url: URL) {
    this.url = url;
  }
}

export class CelIp {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class CelCidr {
  readonly address: string;
  readonly bits: number;
  constructor(address: string, bits: number) {
    this.address = address;
    this.bits = bits;
  }
}

/** Adds what Kubernetes adds to CEL (apiserver cel/library): regular expressions, lists, sets, quantities, URLs, addresses. */
export function registerLibraries(env: Environment): Environment {
  registerTexts(env);
  registerLists(env);
  registerQuantities(env);
  registerUrls(env);
  registerAddresses(env);
  registerSets(env);
  registerAuthorizer(env);
  return env;
}

function compiled(pattern: string) {
  const found = safePattern(pattern);
  if (found === undefined) throw new Error(`error parsing regexp: ${pattern}`);
  return found;
}

function registerTexts(env: Environment): void {
  const matches = (text: string, pattern: string) => compiled(pattern).matcher(text).find();
  env.registerFunction('string.re2Matches(string): bool', matches);
  env.registerFunction('re2Matches(string, string): bool', matches);
  env.registerFunction('string.find(string): string', (text: string, pattern: string) => {
    const matcher = compiled(pattern).matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : '';
  });
  env.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => {
    const found: string[] = [];
    const matcher = compiled(pattern).matcher(text);
    while (matcher.find()) found.push(matcher.group() ?? '');
    return found;
  });
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.split(from).join(to),
  );
  env.registerFunction(
    'string.replace(string, string, int): string',
    (text: string, from: string, to: string, count: bigint) => {
      if (count < 0n) return text.split(from).join(to);
      const parts = text.split(from);
      const head = parts.slice(0, Number(count) + 1).join(to);
      const tail = parts.slice(Number(count) + 1);
      return tail.length === 0 ? head : [head, ...tail].join(from);
    },
  );
  env.registerFunction('string.charAt(int): string', (text: string, at: bigint) => [...text][Number(at)] ?? '');
  env.registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''));
  env.registerFunction('string.format(list<dyn>): string', (text: string, values: unknown[]) => {
    let next = 0;
    return text.replace(/%%|%[sd]|%\.(\d+)f|%f/g, (verb, digits: string | undefined) => {
      if (verb === '%%') return '%';
      const value = values[next++];
      return verb.endsWith('f') ? Number(value).toFixed(Number(digits ?? 6)) : String(value);
    });
  });
}

type Comparable = bigint | number | string;

function registerLists(env: Environment): void {
  for (const type of ['int', 'double', 'string']) {
    env.registerFunction(`list<${type}>.isSorted(): bool`, (list: Comparable[]) =>
      list.every((each, index) => index === 0 || (list[index - 1] ?? each) <= each),
    );
    env.registerFunction(`list<${type}>.min(): ${type}`, (list: Comparable[]) => extreme(list, (a, b) => a < b));
    env.registerFunction(`list<${type}>.max(): ${type}`, (list: Comparable[]) => extreme(list, (a, b) => a > b));
  }
  env.registerFunction('list<int>.sum(): int', (list: bigint[]) => list.reduce((sum, each) => sum + each, 0n));
  env.registerFunction('list<double>.sum(): double', (list: number[]) => list.reduce((sum, each) => sum + each, 0));
  env.registerFunction('list<dyn>.indexOf(dyn): int', (list: unknown[], value: unknown) =>
    BigInt(list.findIndex((each) => celEqual(each, value))),
  );
  env.registerFunction('list<dyn>.lastIndexOf(dyn): int', (list: unknown[], value: unknown) =>
    BigInt(list.findLastIndex((each) => celEqual(each, value))),
  );
}

function extreme(list: readonly Comparable[], better: (a: Comparable, b: Comparable) => boolean): Comparable {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error('min/max called on empty list');
  return rest.reduce((best, each) => (better(each, best) ? each : best), first);
}

/** Equality of two values of CEL, objects by their members. */
export function celEqual(a: unknown, b: unknown): boolean {
  if (isJsonObject(a) && isJsonObject(b)) return jsonEqual(plain(a), plain(b));
  return a === b || jsonEqual(plain(a), plain(b));
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? `int:${each}` : each)));
}

function registerQuantities(env: Environment): void {
  env.registerType('kubernetes.Quantity', CelQuantity);
  const parse = (text: string): CelQuantity => {
    const amount = parseQuantity(text);
    if (amount === undefined) throw new Error('quantities must match the regular expression');
    return new CelQuantity(amount);
  };
  env.registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined);
  env.registerFunction('quantity(string): kubernetes.Quantity', parse);
  const of = 'kubernetes.Quantity';
  env.registerFunction(
    `${of}.isLessThan(${of}): bool`,
    (a: CelQuantity, b: CelQuantity) => a.amount.nano < b.amount.nano,
  );
  env.registerFunction(
    `${of}.isGreaterThan(${of}): bool`,
    (a: CelQuantity, b: CelQuantity) => a.amount.nano > b.amount.nano,
  );
  env.registerFunction(`${of}.compareTo(${of}): int`, (a: CelQuantity, b: CelQuantity) =>
    a.amount.nano < b.amount.nano ? -1n : a.amount.nano > b.amount.nano ? 1n : 0n,
  );
  env.registerFunction(`${of}.sign(): int`, ({ amount }: CelQuantity) =>
    amount.nano < 0n ? -1n : amount.nano > 0n ? 1n : 0n,
  );
  env.registerFunction(`${of}.isInteger(): bool`, ({ amount }: CelQuantity) => amount.nano % 1_000_000_000n === 0n);
  env.registerFunction(`${of}.asInteger(): int`, ({ amount }: CelQuantity) => amount.nano / 1_000_000_000n);
  env.registerFunction(`${of}.asApproximateFloat(): double`, ({ amount }: CelQuantity) => Number(amount.nano) / 1e9);
  const combine = (sign: bigint) => (a: CelQuantity, b: CelQuantity) =>
    new CelQuantity({ nano: a.amount.nano + sign * b.amount.nano, format: a.amount.format });
  env.registerFunction(`${of}.add(${of}): ${of}`, combine(1n));
  env.registerFunction(`${of}.sub(${of}): ${of}`, combine(-1n));
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function registerUrls(env: Environment): void {
  env.registerType('kubernetes.URL', CelUrl);
  env.registerFunction('isURL(string): bool', (text: string) => parseUrl(text) !== undefined);
  env.registerFunction('url(string): kubernetes.URL', (text: string) => {
    const url = parseUrl(text);
    if (url === undefined) throw new Error('URL parse error during conversion from string');
    return new CelUrl(url);
  });
  const part = (name: string, read: (url: URL) => string) =>
    env.registerFunction(`kubernetes.URL.${name}(): string`, ({ url }: CelUrl) => read(url));
  part('getScheme', (url) => url.protocol.replace(/:$/, ''));
  part('getHost', (url) => url.host);
  part('getHostname', (url) => url.hostname.replace(/^\[|\]$/g, ''));
  part('getPort', (url) => url.port);
  part('getEscapedPath', (url) => url.pathname);
}

function registerAddresses(env: Environment): void {
  env.registerType('net.IP', CelIp);
  env.registerType('net.CIDR', CelCidr);
  const toIp = (text: string): CelIp => {
    if (!isIp(text)) throw new Error('IP Address parse error during conversion from string');
    return new CelIp(text);
  };
  const toCidr = (text: string): CelCidr => {
    if (!isCidr(text)) throw new Error('network address parse error during conversion from string');
    const [address = '', bits = '0'] = text.split('/');
    return new CelCidr(address, Number(bits));
  };
  const holds = (cidr: CelCidr, address: string): boolean => {
    if (isIpv4(cidr.address) !== isIpv4(address)) return false;
    return addressBits(cidr.address).slice(0, cidr.bits) === addressBits(address).slice(0, cidr.bits);
  };
  env.registerFunction('isIP(string): bool', isIp);
  env.registerFunction('ip(string): net.IP', toIp);
  env.registerFunction('isCIDR(string): bool', isCidr);
  env.registerFunction('cidr(string): net.CIDR', toCidr);
  env.registerFunction('net.IP.family(): int', ({ text }: CelIp) => (isIpv4(text) ? 4n : 6n));
  env.registerFunction(
    'net.IP.isLoopback(): bool',
    ({ text }: CelIp) => text.startsWith('127.') || canonicalAddress(text) === '::1',
  );
  env.registerFunction('net.CIDR.containsIP(string): bool', (cidr: CelCidr, text: string) =>
    holds(cidr, toIp(text).text),
  );
  env.registerFunction('net.CIDR.containsIP(net.IP): bool', (cidr: CelCidr, { text }: CelIp) => holds(cidr, text));
  env.registerFunction('net.CIDR.containsCIDR(string): bool', (cidr: CelCidr, text: string) => {
    const other = toCidr(text);
    return other.bits >= cidr.bits && holds(cidr, other.address);
  });
  env.registerFunction('net.CIDR.prefixLength(): int', ({ bits }: CelCidr) => BigInt(bits));
  env.registerFunction('net.CIDR.ip(): net.IP', ({ address }: CelCidr) => new CelIp(address));
}
