import { type ParsedUrl, parseUrl, splitHost, UrlError, urlText } from '@/lib/net/go-url';
import { ipBytes } from '@/lib/x509/ip-bytes';
import { GoError } from '../template-error';
import { goKindOf } from '../value/describe';
import { ANY_MAP } from '../value/types';
import { GoMap } from '../value/value';
import { fn, type GoFunctionTable } from './define';

/** Sprig's url.go and network.go. */
export const urlFunctions: GoFunctionTable = {
  urlParse: fn(['string'], (_, text) => {
    const url = parse(text, 'unable to parse url');
    return GoMap.of(ANY_MAP, [
      ['scheme', url.scheme],
      ['host', url.host],
      ['hostname', splitHost(url.host).hostname],
      ['path', url.path],
      ['query', url.query],
      ['opaque', url.opaque],
      ['fragment', url.fragment],
      ['userinfo', url.userinfo],
    ]);
  }),
  urlJoin: fn(['dict'], (_, map) => {
    const part = (name: string): string => textOf(map, name);
    const [scheme, host, path, query, opaque, fragment] = [
      part('scheme'),
      part('host'),
      part('path'),
      part('query'),
      part('opaque'),
      part('fragment'),
    ];
    const given = part('userinfo');
    const userinfo = given === '' ? '' : parse(`proto://${given}@host`, 'unable to parse userinfo in dict').userinfo;
    return urlText({ scheme, host, path, query, opaque, fragment, userinfo });
  }),
  // Host names are not resolved: a rendering does not depend on the network.
  getHostByName: fn(['string'], (_, name) => {
    if (ipBytes(name) !== undefined) return name;
    throw new GoError(`${name} is not an address, and templates cannot look up names`);
  }),
};

function parse(text: string, task: string): ParsedUrl {
  try {
    return parseUrl(text);
  } catch (error) {
    throw error instanceof UrlError ? new GoError(`${task}: ${error.message}`) : error;
  }
}

function textOf(map: GoMap, name: string): string {
  const value = map.has(name) ? map.get(name) : '';
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) {
    throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  }
  throw new GoError(`unable to parse ${name} key, must be of type string, but ${goKindOf(value)} found`);
}
