import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { isFrom } from './proxy-person';

/**
 * The address that a request comes from: that of the socket, or, when that is a trusted proxy, the last one in X-Forwarded-For that is
 * none. What is further to the left anybody may have written. What is no address (a proxy that hands on what it got) is not written down.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList | undefined): string {
  const socketAddress = request.socket.remoteAddress ?? '';
  if (trusted === undefined || !isFrom(socketAddress, trusted)) return socketAddress;
  const chain = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  const addresses = chain.map((address) => address.trim()).filter((address) => address !== '');
  const found = addresses.reverse().find((address) => !isFrom(address, trusted)) ?? '';
  // Some proxies add the port: `192.0.2.1:443`, `[2001:db8::1]:443`.
  const plain = /^\[([^\]]*)\](?::\d+)?$/.exec(found)?.[1] ?? found.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  return isIP(plain) === 0 ? socketAddress : plain;
}
