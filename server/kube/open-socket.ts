import type { Caller } from './caller';
import { errorOfResponse } from './errors';
import { type ChannelSocket, HandshakeError, type SocketRequest } from './transport';

/** Opens a WebSocket of a subresource. A refusal fails as that of every other call does. */
export async function openSocket(
  caller: Caller,
  request: SocketRequest & { readonly signal: AbortSignal },
): Promise<ChannelSocket> {
  try {
    return await caller.transport.openSocket(request);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    if (error instanceof HandshakeError) throw errorOfResponse(error.status, error.body);
    throw caller.connectionError(error);
  }
}
