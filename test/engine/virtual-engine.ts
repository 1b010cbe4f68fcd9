import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { JsonObject } from '@/lib/json/json';
import { type Random, seededRandom } from '@/lib/random/random';
import type { NoticeSettings } from '@/server/config/notices';
import { DEFAULT_PIPES, type PipeSettings } from '@/server/config/pipes';
import { type Controller, startController } from '@/server/controller/controller';
import type { Api, RawRequest } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import type { Transport } from '@/server/kube/transport';
import type { LogFields } from '@/server/log/log';
import type { ControllerMetrics } from '@/server/metrics/controller-metrics';
import type { PostNotice } from '@/server/notices/post-notice';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { renderInThread } from '@/server/tasks/render-texts';
import type { OpenRepository } from '@/server/upgrades/open-repository';
import { type PodFiles, podFiles } from './pod-files';
import { drive, settleTurns } from './virtual-time';

/** A write or read of the controller, with the server's answer. */
export interface ControllerCall {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly body: JsonObject | undefined;
  readonly contentType: string;
  readonly status: number;
  /** Virtual time of the answer, milliseconds. */
  readonly atMs: number;
}

/**
 * The status with which the server refuses a request, with a message where that matters; undefined lets it pass, a promise lets it
 * pass when it resolves.
 */
export type RefuseRequest = (
  request: Pick<RawRequest, 'method' | 'path' | 'body'>,
) => number | ServerRefusal | undefined | Promise<undefined>;

export interface ServerRefusal {
  readonly code: number;
  readonly message: string;
}

/** The real controller and the real sandbox in one process, without sockets, on a clock that advances only when needed. */
export interface VirtualEngine {
  readonly clock: VirtualClock;
  readonly sandbox: Sandbox;
  /** The Api of users: its requests are never refused and not in `calls`. */
  readonly people: Api;
  /** Calls of the controller since the start, watches included. */
  readonly calls: ControllerCall[];
  /** Names of what the controller logged as a warning or an error. */
  readonly problems: string[];
  /** Every line of the controller's log, as JSON. */
  readonly logged: string[];
  /** The files that pods of pipes hold, by path. */
  readonly files: PodFiles;
  /** Refuses requests of the controller from now on; undefined ends that. */
  refuse(refusal: RefuseRequest | undefined): void;
  startController(): Promise<void>;
  stopController(): Promise<void>;
  /** Runs a request of a user to its end. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** Runs everything that is ready, then the next timer, until `done`; fails after `limitMs` of virtual time. */
  until(what: string, done: () => boolean, limitMs?: number): Promise<void>;
  /** Lets this much virtual time pass. */
  pass(durationMs: number): Promise<void>;
  stop(): Promise<void>;
}

const LIMIT_MS = 3_600_000;

export interface VirtualEngineOptions {
  readonly mode?: 'full' | 'no-controllers' | 'no-pods';
  readonly pipePods?: PipeSettings;
  readonly leaseDurationS?: number;
  /** Measures every controller. */
  readonly metrics?: ControllerMetrics;
  readonly notices?: NoticeSettings;
  /** Sends notices; nothing is sent when absent. */
  readonly postNotice?: PostNotice;
  /** The repositories of subscriptions. */
  readonly openRepository?: OpenRepository;
  /** Wall time at the start, milliseconds since 1970. */
  readonly startMs?: number;
  /** Controllers keep usage ledgers. */
  readonly countsUsage?: boolean;
  /** What stands in for the operating system's random bytes in the n-th controller; a seeded source when absent. */
  readonly systemRandom?: (n: number) => Random;
}

export async function startVirtualEngine(options: VirtualEngineOptions = {}): Promise<VirtualEngine> {
  const clock = new VirtualClock(options.startMs);
  const sandbox = await startSandbox({
    port: 'none',
    mode: options.mode ?? 'full',
    podDelayMs: 1_000,
    clock,
    random: seededRandom('sandbox'),
  });
  const cluster = plainCluster({ server: sandbox.url, token: sandbox.adminToken });
  const files = podFiles();
  const calls: ControllerCall[] = [];
  const problems: string[] = [];
  const logged: string[] = [];
  const say = (event: string, fields: LogFields = {}) => void logged.push(JSON.stringify({ event, ...fields }));
  const note = (event: string, fields?: LogFields) => {
    problems.push(event);
    say(event, fields);
  };
  let refusal: RefuseRequest | undefined;
  const direct = directTransport(sandbox, files);
  const people = createApi(cluster, { clock, random: seededRandom('people'), transport: direct });
  await drive(clock, installCrds(people, clock));
  let controller: Controller | undefined;
  let started = 0;
  const until = async (what: string, done: () => boolean, limitMs = LIMIT_MS) => {
    const endMs = clock.now() + limitMs;
    for (;;) {
      await settleTurns();
      if (done()) return;
      const dueMs = clock.nextDueMs();
      if (dueMs === undefined || dueMs > endMs) throw new Error(`not within ${limitMs / 1_000} virtual s: ${what}`);
      clock.runNext();
    }
  };
  const stopController = async () => {
    await (controller === undefined ? undefined : drive(clock, controller.stop()));
    controller = undefined;
  };
  return {
    clock,
    sandbox,
    people,
    calls,
    problems,
    logged,
    files,
    refuse: (next) => {
      refusal = next;
    },
    async startController() {
      started += 1;
      const random = options.systemRandom?.(started) ?? seededRandom(`controller ${started}`);
      const transport = watched(direct, clock, calls, () => refusal);
      const api = createApi(cluster, { clock, random, transport });
      controller = await startController({
        api,
        clock,
        random,
        log: { info: say, warn: note, error: note },
        identity: `controller-${started}`,
        renderTexts: renderInThread,
        ...(options.openRepository === undefined ? {} : { openRepository: options.openRepository }),
        pipePods: options.pipePods ?? DEFAULT_PIPES,
        ...(options.notices === undefined ? {} : { notices: options.notices }),
        postNotice:
          options.postNotice ?? (() => Promise.resolve({ is: 'refused', why: 'is not a receiver of this test' })),
        countsUsage: options.countsUsage ?? false,
        ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
        ...(options.leaseDurationS === undefined ? {} : { leaseDurationS: options.leaseDurationS }),
      });
      await until('the controller leads', () => controller?.leads === true);
    },
    stopController,
    run: (promise) => drive(clock, promise),
    until,
    async pass(durationMs) {
      const endMs = clock.now() + durationMs;
      for (;;) {
        await settleTurns();
        const dueMs = clock.nextDueMs();
        if (dueMs === undefined || dueMs > endMs) return;
        clock.runNext();
      }
    },
    async stop() {
      await stopController();
      await drive(clock, sandbox.stop());
    },
  };
}

function directTransport(sandbox: Sandbox, files: PodFiles): Transport {
  return {
    request: (request) =>
      sandbox.inject({ ...request, headers: { ...request.headers, authorization: `Bearer ${sandbox.adminToken}` } }),
    openSocket: (request) => Promise.resolve(files.open(request.path, request.signal)),
    close: () => Promise.resolve(),
  };
}

function watched(
  inner: Transport,
  clock: VirtualClock,
  calls: ControllerCall[],
  refusal: () => RefuseRequest | undefined,
): Transport {
  return {
    ...inner,
    async request(request) {
      const answer = refusal()?.(request);
      if (answer instanceof Promise) await answer;
      else if (answer !== undefined) {
        const { code, message } =
          typeof answer === 'number' ? { code: answer, message: `refused by the test with ${answer}` } : answer;
        calls.push(callOf(request, code, clock));
        return refused(code, message);
      }
      const response = await inner.request(request);
      calls.push(callOf(request, response.status, clock));
      return response;
    },
  };
}

function callOf({ method, path, body, headers }: RawRequest, status: number, clock: VirtualClock): ControllerCall {
  const parsed = typeof body === 'string' && body.startsWith('{') ? (JSON.parse(body) as JsonObject) : undefined;
  return { method, path, body: parsed, contentType: headers?.['content-type'] ?? '', status, atMs: clock.now() };
}

function refused(code: number, message: string) {
  const text = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    message,
    reason: code === 403 ? 'Forbidden' : code === 422 ? 'Invalid' : 'InternalError',
    code,
  });
  async function* body() {
    yield Buffer.from(text);
  }
  return { status: code, headers: { 'content-type': 'application/json' }, body: body() };
}
