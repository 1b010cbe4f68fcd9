import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { isFrom } from './proxy-person';

/**
 * The address that a request comes from: that of the socket, or, when that is a trusted proxy, the last one in X-Forwarded-For that is
 * none. What is further to the left anybody may have written.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList | undefined): string {
  const socketAddress = request.socket.remoteAddress ?? '';
  if (trusted === undefined || !isFrom(socketAddress, trusted)) return socketAddress;
  const chain = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  const addresses = chain.map((address) => address.trim()).filter((address) => address !== '');
  return addresses.reverse().find((address) => !isFrom(address, trusted)) ?? socketAddress;
}
