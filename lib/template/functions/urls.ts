import { parseUrl, urlText } from '../encoding/url';
import { GoError } from '../template-error';
import { kindOf } from '../value/describe';
import { ANY_MAP } from '../value/types';
import { GoMap } from '../value/value';
import { type FunctionTable, fn } from './define';

/** Sprig's url.go and network.go. */
export const urlFunctions: FunctionTable = {
  urlParse: fn(['string'], (_, text) => {
    const url = parseUrl(text, (problem) => new GoError(`unable to parse url: ${problem}`));
    return GoMap.of(ANY_MAP, [
      ['scheme', url.scheme],
      ['host', url.host],
      ['hostname', url.hostname],
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
    const parsed =
      given === ''
        ? undefined
        : parseUrl(`proto://${given}@host`, (problem) => new GoError(`unable to parse userinfo in dict: ${problem}`));
    return urlText({ scheme, host, path, query, opaque, fragment, userinfo: parsed?.userinfo ?? '' });
  }),
  // Names are not looked up: a rendering does not depend on the network.
  getHostByName: fn(['string'], (_, name) => {
    if (isAddress(name)) return name;
    throw new GoError(`${name} is not an address, and templates cannot look up names`);
  }),
};

function textOf(map: GoMap, name: string): string {
  const value = map.has(name) ? map.get(name) : '';
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) {
    throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  }
  throw new GoError(`unable to parse ${name} key, must be of type string, but ${kindOf(value)} found`);
}

function isAddress(name: string): boolean {
  const isV4 = /^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(name) && name.split('.').every((part) => Number(part) <= 255);
  return isV4 || (name.length <= 45 && name.includes(':') && /^[0-9a-fA-F:.]+$/.test(name));
}
