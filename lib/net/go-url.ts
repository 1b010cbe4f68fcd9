import { quote } from '@/lib/template/format/quote';

/** The parts of a URL as Go's net/url has them. All text is in byte strings (lib/template/value/bytes). */
export interface GoUrl {
  readonly scheme: string;
  /** Escaped, with the password if there is one. */
  readonly userinfo: string;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly opaque: string;
  readonly fragment: string;
}

/** `rawPath` is the path before its escapes were resolved. */
export interface ParsedUrl extends GoUrl {
  readonly rawPath: string;
}

/** A text that Go refuses; the message is Go's, in a byte string: `parse "…": what is wrong`. */
export class UrlError extends Error {}

/** url.Parse. @throws UrlError */
export function parseUrl(raw: string): ParsedUrl {
  const hash = raw.indexOf('#');
  const main = hash < 0 ? raw : raw.slice(0, hash);
  const url = parseMain(main, 'any');
  if (hash < 0) return url;
  return { ...url, fragment: unescapePart(raw.slice(hash + 1), 'fragment', failing(raw)) };
}

/** url.ParseRequestURI: an absolute URL or an absolute path; `#` has no meaning. @throws UrlError */
export function parseRequestUri(raw: string): ParsedUrl {
  return parseMain(raw, 'request');
}

type Fail = (problem: string) => UrlError;
type Mode = 'path' | 'userinfo' | 'host' | 'zone' | 'fragment' | 'query';

const failing =
  (raw: string): Fail =>
  (problem) =>
    new UrlError(`parse ${quote(raw)}: ${problem}`);

const EMPTY: ParsedUrl = {
  scheme: '',
  userinfo: '',
  host: '',
  path: '',
  rawPath: '',
  query: '',
  opaque: '',
  fragment: '',
};

function parseMain(text: string, form: 'any' | 'request'): ParsedUrl {
  const fail = failing(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses control characters
  if (/[\0-\x1f\x7f]/.test(text)) throw fail('net/url: invalid control character in URL');
  if (text === '' && form === 'request') throw fail('empty url');
  if (text === '*') return { ...EMPTY, path: '*', rawPath: '*' };
  const [scheme, afterScheme] = splitScheme(text, fail);
  const mark = afterScheme.indexOf('?');
  const query = mark < 0 ? '' : afterScheme.slice(mark + 1);
  const rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...EMPTY, scheme, query, opaque: rest };
    if (form === 'request') throw fail('invalid URI for request');
    const [segment = ''] = rest.split('/');
    if (segment.includes(':')) throw fail('first path segment in URL cannot contain colon');
  }
  const mayHaveHost = scheme !== '' || (form === 'any' && !rest.startsWith('///'));
  const [authority, rawPath] = mayHaveHost && rest.startsWith('//') ? splitAuthority(rest) : ['', rest];
  const [userinfo, host] = parseAuthority(authority, fail);
  return { ...EMPTY, scheme, userinfo, host, query, path: unescapePart(rawPath, 'path', fail), rawPath };
}

/** `//AUTHORITY/PATH` without the first slashes; the path may be empty. */
function splitAuthority(text: string): [string, string] {
  const slash = text.indexOf('/', 2);
  return slash < 0 ? [text.slice(2), ''] : [text.slice(2, slash), text.slice(slash)];
}

function splitScheme(text: string, fail: Fail): [string, string] {
  const [, scheme, end] = /^([A-Za-z][A-Za-z0-9+.-]*)?(:)?/.exec(text) ?? [];
  if (end === undefined) return ['', text];
  if (scheme === undefined) throw fail('missing protocol scheme');
  return [scheme.toLowerCase(), text.slice(scheme.length + 1)];
}

function parseAuthority(text: string, fail: Fail): [string, string] {
  const sign = text.lastIndexOf('@');
  const host = parseHost(text.slice(sign + 1), fail);
  if (sign < 0) return ['', host];
  const user = text.slice(0, sign);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw fail('net/url: invalid userinfo');
  const colon = user.indexOf(':');
  const name = unescapePart(colon < 0 ? user : user.slice(0, colon), 'userinfo', fail);
  if (colon < 0) return [escapePart(name, 'userinfo'), host];
  const password = unescapePart(user.slice(colon + 1), 'userinfo', fail);
  return [`${escapePart(name, 'userinfo')}:${escapePart(password, 'userinfo')}`, host];
}

function parseHost(text: string, fail: Fail): string {
  if (text.startsWith('[')) {
    const close = text.lastIndexOf(']');
    if (close < 0) throw fail("missing ']' in host");
    checkPort(text.slice(close + 1), fail);
    const zone = text.slice(0, close).indexOf('%25');
    if (zone >= 0) {
      return (
        unescapePart(text.slice(0, zone), 'host', fail) +
        unescapePart(text.slice(zone, close), 'zone', fail) +
        unescapePart(text.slice(close), 'host', fail)
      );
    }
  } else if (text.includes(':')) checkPort(text.slice(text.lastIndexOf(':')), fail);
  return unescapePart(text, 'host', fail);
}

function checkPort(text: string, fail: Fail): void {
  if (text !== '' && !/^:[0-9]*$/.test(text)) throw fail(`invalid port ${quote(text)} after host`);
}

/** URL.Hostname and URL.Port: without the brackets of an IPv6 address; the port may be empty. */
export function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = /:[0-9]*$/.exec(host)?.index ?? host.length;
  const name = host.slice(0, colon);
  const hostname = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  return { hostname, port: host.slice(colon + 1) };
}

/** URL.Query: the pairs in order; a pair that cannot be read is left out. */
export function queryPairs(query: string): [string, string][] {
  return query.split('&').flatMap((part): [string, string][] => {
    if (part === '' || part.includes(';')) return [];
    const equals = part.indexOf('=');
    try {
      const read = (text: string) => unescapePart(text.replaceAll('+', ' '), 'query', failing(query));
      return [[read(equals < 0 ? part : part.slice(0, equals)), read(equals < 0 ? '' : part.slice(equals + 1))]];
    } catch (error) {
      if (error instanceof UrlError) return [];
      throw error;
    }
  });
}

/** URL.EscapedPath: the path as it was written if that is a valid encoding, else encoded again. */
export function escapedPath({ rawPath, path }: ParsedUrl): string {
  return /^[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]*$/.test(rawPath) ? rawPath : encodePath(path);
}

function encodePath(path: string): string {
  return path === '*' ? path : escapePart(path, 'path');
}

function unescapePart(text: string, mode: Mode, fail: Fail): string {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
  if (bad !== null) throw fail(`invalid URL escape ${quote(bad[0])}`);
  if (mode === 'host' || mode === 'zone') checkHost(text, mode, fail);
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Go allows only bytes above ASCII as escapes in a host, and in a zone also those that need no escape, and the space. */
function checkHost(text: string, mode: 'host' | 'zone', fail: Fail): void {
  for (const [escaped] of text.matchAll(/%[0-9a-fA-F]{2}/g)) {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    const isAllowed = mode === 'host' ? character >= '\x80' : character === ' ' || UNESCAPED.zone.test(character);
    if (escaped !== '%25' && !isAllowed) throw fail(`invalid URL escape ${quote(escaped)}`);
  }
  for (const character of text.replace(/%[0-9a-fA-F]{2}/g, '')) {
    if (character < '\x80' && !UNESCAPED.host.test(character)) {
      throw fail(`invalid character ${quote(character)} in host name`);
    }
  }
}

const UNESCAPED: { readonly [M in Mode]: RegExp } = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  userinfo: /[A-Za-z0-9\-_.~$&+,;=]/,
  host: /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/,
  zone: /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/,
  fragment: /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/,
  query: /[A-Za-z0-9\-_.~]/,
};

function escapePart(text: string, mode: Mode): string {
  return Array.from(text, (byte) =>
    UNESCAPED[mode].test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** URL.String. */
export function urlText(url: GoUrl): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const query = url.query === '' ? '' : `?${url.query}`;
  const fragment = url.fragment === '' ? '' : `#${escapePart(url.fragment, 'fragment')}`;
  return scheme + (url.opaque === '' ? hierarchy(url) : url.opaque) + query + fragment;
}

/** What stands between the scheme and the query: `//USER@HOST/PATH`, or a path alone. */
function hierarchy({ scheme, userinfo, host, path }: GoUrl): string {
  const slashes = host !== '' || userinfo !== '' || (scheme !== '' && path !== '') ? '//' : '';
  const authority = `${slashes}${userinfo === '' ? '' : `${userinfo}@`}${escapePart(host, 'host')}`;
  const encoded = encodePath(path);
  if (encoded !== '' && !encoded.startsWith('/') && host !== '') return `${authority}/${encoded}`;
  const looksLikeScheme = scheme === '' && authority === '' && (encoded.split('/')[0] ?? '').includes(':');
  return `${authority}${looksLikeScheme ? './' : ''}${encoded}`;
}
