import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { addressRefusal } from '@/lib/kudo/notices/address-refusal';
import { AddressRefused, guardedLookup } from '@/server/notices/guarded-lookup';

/**
 * Connections to addresses that people choose: link-local addresses and metadata services are refused always, this machine unless
 * `allowLocal`. The address is checked in the step that connects to it, for each redirect again.
 */
export function guardedConnect(allowLocal: boolean): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(allowLocal) });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    const refusal = isIP(literal) === 0 ? undefined : addressRefusal(literal, allowLocal);
    if (refusal === undefined) connect(options, callback);
    else callback(new AddressRefused(`${literal} is ${refusal}`), null);
  };
}
