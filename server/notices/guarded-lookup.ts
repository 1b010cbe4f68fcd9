import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressRefusal } from '@/lib/kudo/notices/address-refusal';

/** The name of a host leads to an address that nothing is sent to. */
export class AddressRefused extends Error {}

/** What the host of a URL is when it is an address, and nothing is sent there; undefined when it is a name, or may be used. */
export function literalRefusal({ hostname }: URL, allowLocal: boolean): string | undefined {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? undefined : addressRefusal(literal, allowLocal);
}

/** The system's resolver; an answer with one refused address is refused as a whole. */
export function guardedLookup(allowLocal: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const [first] = addresses;
      const refusal = addresses.map(({ address }) => addressRefusal(address, allowLocal)).find((each) => each);
      if (refusal !== undefined || first === undefined) {
        return callback(new AddressRefused(`resolves to ${refusal ?? 'no address'}`), '', 0);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
