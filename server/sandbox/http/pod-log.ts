import { parseRfc3339 } from '@/lib/clock/rfc3339';
import { stringAt } from '@/lib/json/json';
import { badRequest, failure, notFound } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendText, startStream } from '../exchange/exchange';
import { isTrue } from '../rbac/request-info';
import { getStored, type ObjectPlace } from '../registry/registry';
import { type LogRequest, type PodConsole, PodConsoleError } from '../workloads/core/pod-console';
import { integer } from './list-options';

/** GET pods/NAME/log, plain or followed. */
export async function servePodLog(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const pod = getStored(core.registry, place).object;
  const node = stringAt(pod, 'spec', 'nodeName') ?? '';
  if (node === '') {
    sendText(exchange, 200, 'text/plain', '');
    return;
  }
  const podConsole = requireConsole(core, node);
  const gone = new AbortController();
  exchange.response.on('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, exchange.signal]);
  await stream(exchange, podConsole, { ...logRequest(core, exchange, place), signal });
}

/** Without simulated pods there is no kubelet on any node. */
export function requireConsole(core: SandboxCore, node: string): PodConsole {
  const podConsole = core.podConsole();
  if (podConsole === undefined) throw notFound({ group: '', resource: 'pods' }, node);
  return podConsole;
}

/** A failure of the console in the words of the API server. */
export function consoleFailure(error: unknown): unknown {
  return error instanceof PodConsoleError ? failure(error.code, error.reason, error.message) : error;
}

async function stream(exchange: Exchange, podConsole: PodConsole, request: LogRequest): Promise<void> {
  const { response } = exchange;
  const chunks = podConsole.log(request)[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    startStream(exchange, 'text/plain');
    for (let next = first; next.done !== true; next = await chunks.next()) {
      if (response.destroyed) break;
      if (!response.write(next.value)) await drained(exchange, request.signal);
    }
    response.end();
  } catch (error) {
    throw consoleFailure(error);
  } finally {
    await chunks.return?.();
  }
}

async function drained({ response }: Exchange, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

function logRequest(core: SandboxCore, { query }: Exchange, place: ObjectPlace): LogRequest {
  const sinceSeconds = integer(query.get('sinceSeconds'));
  const sinceTime = query.get('sinceTime');
  const since = sinceTime === null ? undefined : parseRfc3339(sinceTime);
  if (sinceTime !== null && since === undefined) throw badRequest(`invalid sinceTime ${JSON.stringify(sinceTime)}`);
  return {
    namespace: place.namespace ?? '',
    pod: place.name,
    container: query.get('container') ?? undefined,
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    tailLines: integer(query.get('tailLines')),
    limitBytes: integer(query.get('limitBytes')),
    sinceTimeMs: sinceSeconds === undefined ? since : core.registry.clock.now() - sinceSeconds * 1000,
    timestamps: isTrue(query.get('timestamps')),
  };
}
