import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { addressRefusal } from '@/lib/kudo/notices/address-refusal';

/** The address of a name is one that the server does not connect to. */
export class AddressRefused extends Error {}

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
