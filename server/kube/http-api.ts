import type { Clock } from '@/lib/clock/clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { formatResourcePath } from '@/lib/kube/path';
import { limits } from '@/lib/limits/limits';
import { type Random, systemRandom } from '@/lib/random/random';
import type { Api, ApiDiscovery, DeleteOptions, PatchType, RawRequest, RawResponse, Target, WriteOptions } from './api';
import { readText } from './body';
import type { Caller } from './caller';
import { Contact } from './contact';
import type { Cluster } from './credentials';
import { withDeadline } from './deadline';
import { discover } from './discovery';
import { codeOf, errorOfConnection, errorOfResponse } from './errors';
import { execInPod, openTerminal } from './exec';
import { readAllPages } from './list';
import { podLog } from './logs';
import { probePort } from './port-probe';
import { Throttle } from './throttle';
import { connectTransport, type Transport } from './transport';
import { openWatch } from './watch';

export interface ApiOptions {
  readonly clock: Clock;
  readonly random?: Random;
  /** Replaces the network, for the simulator. */
  readonly transport?: Transport;
  /** Sent as User-Agent. */
  readonly userAgent?: string;
}

/** An Api with connections of its own. */
export interface ClosableApi extends Api {
  close(): Promise<void>;
}

const CONTENT_TYPES: { readonly [type in PatchType]: string } = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const DISCOVERY_LIFE_MS = 10 * 60_000;

/** The verbs of `server/kube/api.ts` over HTTP, with the cluster's own credentials. */
export function createApi(cluster: Cluster, options: ApiOptions): ClosableApi {
  const caller = createCaller(cluster, options);
  let known: { discovery: Promise<ApiDiscovery>; readAtMs: number } | undefined;
  const write = (method: string, target: Target, sent: Sent, writeOptions: WriteOptions = {}): Promise<KubeObject> =>
    sendObject(caller, { method, target, ...sent }, writeOptions);

  return {
    async get(target, getOptions) {
      try {
        return asObject(
          await caller.json(
            { method: 'GET', path: formatResourcePath(target), headers: ACCEPT_JSON, signal: getOptions?.signal },
            limits.readDeadlineMs,
          ),
        );
      } catch (error) {
        if (codeOf(error) === 404) return undefined;
        throw error;
      }
    },
    list: (target, listOptions) => readAllPages(caller, target, listOptions ?? {}),
    watch: (target, watchOptions) => openWatch(caller, target, watchOptions),
    create: (target, object, writeOptions) => {
      const { name: _, ...collection } = target;
      const path = writeOptions?.subresource === undefined ? collection : target;
      return write('POST', path, { body: JSON.stringify(object), contentType: 'application/json' }, writeOptions);
    },
    update: (target, object, writeOptions) =>
      write('PUT', target, { body: JSON.stringify(object), contentType: 'application/json' }, writeOptions),
    patch: (target, type, patch, writeOptions) =>
      write('PATCH', target, { body: JSON.stringify(patch), contentType: CONTENT_TYPES[type] }, writeOptions),
    delete: (target, deleteOptions) => remove(caller, target, deleteOptions ?? {}),
    async discover(discoverOptions) {
      const nowMs = options.clock.monotonic();
      if (known === undefined || discoverOptions?.refresh === true || nowMs - known.readAtMs > DISCOVERY_LIFE_MS) {
        known = { discovery: discover(caller), readAtMs: nowMs };
        known.discovery.catch(() => {
          known = undefined;
        });
      }
      return known.discovery;
    },
    exec: (target, execOptions) => execInPod(caller, target, execOptions),
    openTerminal: (target, terminalOptions) => openTerminal(caller, target, terminalOptions),
    probePort: (target, portOptions) => probePort(caller, target, portOptions),
    log: (target, logOptions) => podLog(caller, target, logOptions),
    async raw(request) {
      try {
        return await caller.transport.request(request);
      } catch (error) {
        if (request.signal?.aborted === true) throw error;
        throw caller.connectionError(error);
      }
    },
    pause: (delayMs, signal) => caller.contact.pause(delayMs, signal),
    close: () => caller.transport.close(),
  };
}

const ACCEPT_JSON = { accept: 'application/json' } as const;

function createCaller(cluster: Cluster, options: ApiOptions): Caller {
  const transport = options.transport ?? connectTransport(cluster);
  const userAgent = options.userAgent ?? 'bravo';
  const connectionError = (error: unknown) => errorOfConnection(error, cluster.server);
  const throttle = new Throttle(options.clock);
  const random = options.random ?? systemRandom;
  const contact = new Contact(options.clock, random, () =>
    json({ method: 'GET', path: '/version', headers: ACCEPT_JSON }, PROBE_DEADLINE_MS),
  );
  const open = async (request: RawRequest): Promise<RawResponse> => {
    if (throttle.isClosed) await throttle.wait(request);
    request.beforeSend?.();
    let response: RawResponse;
    try {
      response = await transport.request({ ...request, headers: { 'user-agent': userAgent, ...request.headers } });
    } catch (error) {
      if (isFailure(request.signal)) contact.recordFailure();
      if (request.signal?.aborted === true) throw request.signal.reason;
      throw connectionError(error);
    }
    if (response.status < 500) contact.recordResponse();
    else contact.recordFailure();
    if (response.status >= 200 && response.status < 300) return response;
    const error = errorOfResponse(response.status, await refusalIn(request, response), response.headers);
    throttle.record(error);
    throw error;
  };
  /** The body of a refusal may break off as any other. */
  const refusalIn = async ({ signal }: RawRequest, { body }: RawResponse): Promise<string> => {
    try {
      return await readText(body, limits.watchEventBytes);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw connectionError(error);
    }
  };
  const json = async (request: RawRequest, deadlineMs: number): Promise<JsonValue> => {
    // The deadline counts from here: a wait that the server asked for (Retry-After) is not part of it.
    if (throttle.isClosed) await throttle.wait(request);
    request.beforeSend?.();
    return withDeadline(options.clock, deadlineMs, request.signal, async (signal) => {
      const response = await open({ ...request, signal });
      try {
        return parseJson(await readText(response.body, LARGEST_BODY_BYTES));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw connectionError(error);
      }
    });
  };
  return { clock: options.clock, random, transport, open, json, connectionError, contact };
}

/** True when a request failed or timed out; false when its caller canceled it. */
function isFailure(signal: AbortSignal | undefined): boolean {
  if (signal?.aborted !== true) return true;
  return signal.reason instanceof TransientError || typeof signal.reason === 'symbol';
}

/** The deadline of a probe of an unreachable server. */
const PROBE_DEADLINE_MS = 5_000;

/** One page of a list: 500 objects of at most 1.5 MiB stay below this; it limits a broken server. */
const LARGEST_BODY_BYTES = 512 * 1024 * 1024;

function parseJson(body: string): JsonValue {
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    throw new TransientError('The response of the Kubernetes API is not valid JSON.', 'MalformedAnswer');
  }
}

interface Sent {
  body: string;
  contentType: string;
}

async function sendObject(
  caller: Caller,
  request: Sent & { method: string; target: Target },
  options: WriteOptions,
): Promise<KubeObject> {
  const { subresource } = options;
  const path = formatResourcePath(subresource === undefined ? request.target : { ...request.target, subresource });
  const answer = await caller.json(
    {
      method: request.method,
      path: withQuery(path, options),
      headers: { ...ACCEPT_JSON, 'content-type': request.contentType },
      body: request.body,
      signal: options.signal,
      beforeSend: options.beforeSend,
    },
    limits.writeDeadlineMs,
  );
  return asObject(answer);
}

async function remove(caller: Caller, target: Target, options: DeleteOptions): Promise<KubeObject | undefined> {
  const preconditions = { uid: options.uid, resourceVersion: options.resourceVersion };
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(options.propagation === undefined ? {} : { propagationPolicy: options.propagation }),
    ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options.uid === undefined && options.resourceVersion === undefined ? {} : { preconditions }),
    ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
  };
  try {
    return asObject(
      await caller.json(
        {
          method: 'DELETE',
          path: formatResourcePath(target),
          headers: { ...ACCEPT_JSON, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: options.signal,
          beforeSend: options.beforeSend,
        },
        limits.writeDeadlineMs,
      ),
    );
  } catch (error) {
    if (codeOf(error) === 404) return undefined;
    throw error;
  }
}

function withQuery(path: string, { dryRun, fieldManager, force }: WriteOptions): string {
  // Most writes have none, and an empty URLSearchParams costs time.
  if (dryRun !== true && fieldManager === undefined && force !== true) return path;
  const query = new URLSearchParams();
  if (dryRun === true) query.set('dryRun', 'All');
  if (fieldManager !== undefined) query.set('fieldManager', fieldManager);
  if (force === true) query.set('force', 'true');
  return `${path}?${query.toString()}`;
}

/** A response of the API as an object; the Status of a delete has an empty `metadata` and is accepted. */
function asObject(value: JsonValue): KubeObject {
  if (isKubeObject(value)) return value;
  if (isJsonObject(value) && value.kind === 'Status')
    return { ...value, apiVersion: 'v1', kind: 'Status', metadata: {} };
  throw new TerminalError('The response of the Kubernetes API is not an object.', 'MalformedAnswer');
}
