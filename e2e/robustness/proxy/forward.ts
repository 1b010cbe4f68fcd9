import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Agent, request as sendRequest } from 'node:https';
import type { ProxiedRequest, ProxyFault } from './fault';
import type { Upstream } from './upstream';

interface Forwarding {
  readonly outgoing: ServerResponse;
  readonly fault: ProxyFault;
  readonly upstream: Upstream;
  readonly agent: Agent;
  readonly send: typeof sendRequest;
  readonly answered: (status: number) => void;
}

/** Applies the decision for one plain request. */
export function forward(request: ProxiedRequest, forwarding: Forwarding): void {
  const { fault, outgoing } = forwarding;
  switch (fault.do) {
    case 'hold':
      return;
    case 'reset':
      outgoing.destroy();
      return;
    case 'answer':
      outgoing.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      outgoing.end(fault.body ?? '');
      return;
    case 'delay': {
      const { until } = fault;
      const due = typeof until === 'number' ? new Promise((resolve) => setTimeout(resolve, until)) : until;
      void due.then(() => ask(request, forwarding));
      return;
    }
    default:
      ask(request, forwarding);
  }
}

function ask(request: ProxiedRequest, forwarding: Forwarding): void {
  const { outgoing, upstream, agent, send } = forwarding;
  const query = queryOf(request, forwarding.fault);
  const { 'transfer-encoding': _, connection: __, ...headers } = request.headers;
  const upstreamRequest = send(upstream.url + request.path + query, {
    method: request.method,
    headers: {
      ...headers,
      host: new URL(upstream.url).host,
      'content-length': String(Buffer.byteLength(request.body)),
    },
    agent,
    ca: upstream.caPem,
  });
  upstreamRequest.on('error', () => outgoing.destroy());
  upstreamRequest.on('response', (answer) => {
    forwarding.answered(answer.statusCode ?? 0);
    pass(answer, upstreamRequest, forwarding);
  });
  // A client that closes its connection ends its watch at the server too, unless the fault lets the server finish.
  outgoing.once('close', () => {
    if (request.isWatch) upstreamRequest.destroy();
  });
  upstreamRequest.end(request.body);
}

function queryOf({ query: asked }: ProxiedRequest, fault: ProxyFault): string {
  const query = new URLSearchParams(asked);
  for (const [name, value] of Object.entries(fault.do === 'pass' ? (fault.query ?? {}) : {})) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function pass(answer: IncomingMessage, upstreamRequest: ClientRequest, { fault, outgoing }: Forwarding): void {
  answer.on('error', () => outgoing.destroy());
  if (fault.do === 'lose') {
    answer.resume();
    answer.once('end', () => {
      fault.done?.();
      outgoing.destroy();
    });
    return;
  }
  if (fault.do === 'rewrite') {
    void rewrite(answer, outgoing, fault.body);
    return;
  }
  const { connection: _, 'content-length': length, ...headers } = answer.headers;
  const isWhole = fault.do === 'pass' || fault.do === 'limit' || fault.do === 'delay';
  const announced = isWhole && length !== undefined ? { 'content-length': length } : {};
  outgoing.writeHead(answer.statusCode ?? 502, { ...headers, ...announced });
  outgoing.flushHeaders();
  if (fault.do === 'limit') {
    limit(answer, upstreamRequest, { outgoing, fault });
    return;
  }
  if (fault.do === 'lines') {
    lines(answer, upstreamRequest, { outgoing, count: fault.count });
    return;
  }
  if (fault.do === 'prepend') outgoing.write(fault.text);
  if (fault.do === 'pass' && fault.done !== undefined) outgoing.once('finish', fault.done);
  answer.pipe(outgoing);
}

function limit(
  answer: IncomingMessage,
  upstreamRequest: ClientRequest,
  { outgoing, fault }: { outgoing: ServerResponse; fault: Extract<ProxyFault, { do: 'limit' }> },
): void {
  let left = fault.bytes;
  const stop = () => {
    if (fault.how === 'break') outgoing.destroy();
    if (fault.how === 'end') outgoing.end();
    if (fault.how !== 'silence') upstreamRequest.destroy();
  };
  const give = (chunk: Buffer) => {
    if (left <= 0) return;
    outgoing.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) stop();
  };
  answer.on('data', give);
  answer.once('end', () => {
    if (left > 0) outgoing.end();
  });
  if (left <= 0) stop();
  else if (fault.first !== undefined) give(Buffer.from(fault.first, 'utf8'));
}

function lines(
  answer: IncomingMessage,
  upstreamRequest: ClientRequest,
  { outgoing, count }: { outgoing: ServerResponse; count: number },
): void {
  let left = count;
  answer.on('data', (chunk: Buffer) => {
    let from = 0;
    while (left > 0 && from < chunk.length) {
      const newline = chunk.indexOf(0x0a, from);
      const to = newline < 0 ? chunk.length : newline + 1;
      outgoing.write(chunk.subarray(from, to));
      from = to;
      if (newline >= 0) left -= 1;
    }
    if (left > 0 || outgoing.writableEnded) return;
    outgoing.end();
    upstreamRequest.destroy();
  });
  answer.once('end', () => outgoing.end());
}

async function rewrite(answer: IncomingMessage, outgoing: ServerResponse, change: (text: string) => string) {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const { connection: _, 'content-length': __, ...headers } = answer.headers;
  outgoing.writeHead(answer.statusCode ?? 502, headers);
  outgoing.end(change(Buffer.concat(chunks).toString('utf8')));
}
