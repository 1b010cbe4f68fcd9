import { quote } from '../format/quote';
import type { GoError } from '../template-error';

/** The parts of a URL as Sprig's urlParse gives them (Go net/url); all byte strings. */
export interface UrlParts {
  readonly scheme: string;
  readonly userinfo: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly opaque: string;
  readonly fragment: string;
}

type Mode = 'path' | 'userinfo' | 'host' | 'zone' | 'fragment';

/** url.Parse. `fail` makes the error of Go's message. */
export function parseUrl(raw: string, fail: (problem: string) => GoError): UrlParts & { readonly hostname: string } {
  const failure: Fail = (problem, shown = raw) => fail(`parse ${quote(shown)}: ${problem}`);
  const hash = raw.indexOf('#');
  const main = hash < 0 ? raw : raw.slice(0, hash);
  const url = parseMain(main, (problem) => failure(problem, main));
  const fragment = hash < 0 ? '' : unescapePart(raw.slice(hash + 1), 'fragment', failure);
  return { ...url, fragment, hostname: hostnameOf(url.host) };
}

type Fail = (problem: string, shown?: string) => GoError;

function parseMain(text: string, fail: Fail): Omit<UrlParts, 'fragment'> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses control characters
  if (/[\0-\x1f\x7f]/.test(text)) throw fail('net/url: invalid control character in URL');
  const empty = { scheme: '', userinfo: '', host: '', path: '', query: '', opaque: '' };
  if (text === '*') return { ...empty, path: '*' };
  const [scheme, afterScheme] = splitScheme(text, fail);
  const mark = afterScheme.indexOf('?');
  const query = mark < 0 ? '' : afterScheme.slice(mark + 1);
  let rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, scheme, query, opaque: rest };
    const [segment = ''] = rest.split('/');
    if (segment.includes(':')) throw fail('first path segment in URL cannot contain colon');
  }
  let [userinfo, host] = ['', ''];
  if ((scheme !== '' || !rest.startsWith('///')) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? '' : rest.slice(slash);
    [userinfo, host] = parseAuthority(authority, fail);
  }
  return { ...empty, scheme, userinfo, host, query, path: unescapePart(rest, 'path', fail) };
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

function hostnameOf(host: string): string {
  const isPort = /:[0-9]*$/.test(host);
  const withoutPort = isPort && !host.endsWith(']') ? host.slice(0, host.lastIndexOf(':')) : host;
  return withoutPort.startsWith('[') && withoutPort.endsWith(']') ? withoutPort.slice(1, -1) : withoutPort;
}

function unescapePart(text: string, mode: Mode, fail: Fail): string {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
  if (bad !== null) throw fail(`invalid URL escape ${quote(bad[0])}`);
  if (mode === 'host' || mode === 'zone') checkHost(text, mode, fail);
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function checkHost(text: string, mode: 'host' | 'zone', fail: Fail): void {
  for (const [escaped] of text.matchAll(/%[0-9a-fA-F]{2}/g)) {
    // Go allows only bytes above ASCII as escapes in a host, and any in a zone that would be legal unescaped.
    if (mode === 'host' && escaped !== '%25' && Number.parseInt(escaped[1] ?? '0', 16) < 8) {
      throw fail(`invalid URL escape ${quote(escaped)}`);
    }
  }
  const wrong = /[ \\^`{}|]/.exec(text.replace(/%[0-9a-fA-F]{2}/g, ''));
  if (wrong !== null && mode === 'host') throw fail(`invalid character ${quote(wrong[0])} in host name`);
}

const UNESCAPED: { readonly [M in Mode]: RegExp } = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  userinfo: /[A-Za-z0-9\-_.~$&+,;=]/,
  host: /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/,
  zone: /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/,
  fragment: /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/,
};

function escapePart(text: string, mode: Mode): string {
  return Array.from(text, (byte) =>
    UNESCAPED[mode].test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** url.URL's String. `userinfo` is escaped already. */
export function urlText(url: UrlParts): string {
  let result = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') result += url.opaque;
  else {
    if (url.scheme !== '' || url.host !== '' || url.userinfo !== '') {
      if (url.host !== '' || url.path !== '' || url.userinfo !== '') result += '//';
      if (url.userinfo !== '') result += `${url.userinfo}@`;
      result += escapeHost(url.host);
    }
    const path = escapePart(url.path, 'path');
    if (path !== '' && !path.startsWith('/') && url.host !== '') result += '/';
    if (result === '' && (path.split('/')[0] ?? '').includes(':')) result += './';
    result += path;
  }
  if (url.query !== '') result += `?${url.query}`;
  return url.fragment === '' ? result : `${result}#${escapePart(url.fragment, 'fragment')}`;
}

/** The zone of an IPv6 address is escaped, `%` first. */
function escapeHost(host: string): string {
  return escapePart(host, 'host');
}
