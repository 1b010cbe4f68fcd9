import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Requests that are begun in one turn of the event loop. Node hands over all that have arrived at once: a client with ten
 * requests under way then gets ten answers at once, works while we wait, and sends ten requests again. With a few at a time
 * both sides work side by side. Fewer than this makes more commits and costs throughput.
 */
const REQUESTS_A_TURN = 2;

/** A handler that begins a few requests in each turn of the event loop, in their order; a single request begins at once. */
export function inTurns(handle: Handler, nextTurn: (run: () => void) => void = setImmediate): Handler {
  const waiting: Parameters<Handler>[] = [];
  let begun = 0;
  let isTurnDue = false;

  const begin = (...exchange: Parameters<Handler>): void => {
    begun += 1;
    if (!isTurnDue) {
      isTurnDue = true;
      nextTurn(turn);
    }
    handle(...exchange);
  };
  const turn = (): void => {
    begun = 0;
    isTurnDue = false;
    while (begun < REQUESTS_A_TURN) {
      const exchange = waiting.shift();
      if (exchange === undefined) return;
      // A client that disconnected meanwhile would never see the end of its request, and nothing would cancel it.
      if (!exchange[1].destroyed) begin(...exchange);
    }
  };
  return (request, response) => {
    if (begun < REQUESTS_A_TURN && waiting.length === 0) begin(request, response);
    else waiting.push([request, response]);
  };
}
