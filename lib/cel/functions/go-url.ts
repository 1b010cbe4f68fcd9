/** An address taken apart as Go's net/url does it. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  /** With its escapes. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
}

/** Why Go's url.ParseRequestURI refuses a text, in its words; undefined when it takes it. */
export function requestUriProblem(text: string): string | undefined {
  const problem = problemOf(text);
  return problem === undefined ? undefined : `parse ${JSON.stringify(text)}: ${problem}`;
}

function problemOf(text: string): string | undefined {
  if ([...text].some((each) => each < ' ' || each === '\x7f')) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text === '*') return undefined;
  if (text.startsWith(':')) return 'missing protocol scheme';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const rest = (scheme === '' ? text : text.slice(scheme.length + 1)).split('?')[0] ?? '';
  if (!rest.startsWith('/'))
    return scheme === '' ? 'invalid URI for request' : rest === '' ? 'invalid URI for request' : undefined;
  const authority = /^\/\/(?!\/)([^/]*)/.exec(rest)?.[1];
  const path = authority === undefined || scheme === '' ? rest : rest.slice(authority.length + 2);
  if (authority !== undefined && scheme !== '') {
    const problem = authorityProblem(authority);
    if (problem !== undefined) return problem;
  }
  return escapeProblem(path);
}

function escapeProblem(text: string): string | undefined {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text);
  return bad === null ? undefined : `invalid URL escape ${JSON.stringify(bad[0])}`;
}

function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  if (at !== -1 && /[^A-Za-z0-9\-._:~!$&'()*+,;=%@]/.test(authority.slice(0, at))) return 'net/url: invalid userinfo';
  const host = authority.slice(at + 1);
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  const colon = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  const port = colon === -1 ? '' : host.slice(colon);
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port.slice(port.lastIndexOf(':')))} after host`;
  const wrong = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host);
  if (wrong !== null) return `invalid character ${JSON.stringify(wrong[0])} in host name`;
  return escapeProblem(host);
}

/** Takes apart a text that `requestUriProblem` has nothing against. */
export function parseGoUrl(text: string): GoUrl {
  const [whole = ''] = text.split('#');
  const mark = whole.indexOf('?');
  const before = mark === -1 ? whole : whole.slice(0, mark);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(before)?.[1] ?? '';
  const rest = scheme === '' ? before : before.slice(scheme.length + 1);
  const authority = /^\/\/(?!\/)([^/]*)/.exec(rest)?.[1];
  const host = authority?.slice(authority.lastIndexOf('@') + 1) ?? '';
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(host) ?? [];
  const path = authority === undefined ? rest : rest.slice(authority.length + 2);
  return {
    scheme: scheme.toLowerCase(),
    host,
    hostname: bracketed ?? plain,
    port,
    path: path.startsWith('/') || path === '' || path === '*' ? path : '',
    query: mark === -1 ? [] : queryPairs(whole.slice(mark + 1)),
  };
}

function queryPairs(text: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const part of text.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const key = decoded(equals === -1 ? part : part.slice(0, equals));
    const value = decoded(equals === -1 ? '' : part.slice(equals + 1));
    if (key !== undefined && value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
