import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, getAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { pause } from './tools';

/** What a probe needs of its container. */
export interface ProbeTarget {
  readonly address: string;
  /** The number of a port: a number, or the name of one of the container. */
  portOf(port: JsonValue | undefined): number;
  /** Runs a command within the time; resolves with its exit code and output. */
  exec(command: readonly string[], timeoutMs: number): Promise<{ code: number; output: string }>;
}

export interface ProbeListener {
  /** Called when the result is another one than before; the first success always. `why` is that of a failure. */
  readonly onResult: (passed: boolean, why: string) => void;
}

/**
 * Repeats a probe until the signal comes. The result is a success after `successThreshold` successes, and a failure after
 * `failureThreshold` failures, one after the other (kubelet prober).
 */
export async function repeatProbe(
  probe: JsonValue,
  target: ProbeTarget,
  { onResult }: ProbeListener,
  signal: AbortSignal,
): Promise<void> {
  const periodMs = (numberAt(probe, 'periodSeconds') ?? 10) * 1_000;
  await pause((numberAt(probe, 'initialDelaySeconds') ?? 0) * 1_000, signal);
  let successes = 0;
  let failures = 0;
  let before: boolean | undefined;
  while (!signal.aborted) {
    const problem = await probeOnce(probe, target).catch(messageOf);
    if (signal.aborted) return;
    successes = problem === undefined ? successes + 1 : 0;
    failures = problem === undefined ? 0 : failures + 1;
    const passed = successes >= (numberAt(probe, 'successThreshold') ?? 1);
    const failed = failures >= (numberAt(probe, 'failureThreshold') ?? 3);
    if ((passed && before !== true) || (failed && before !== false)) {
      before = passed;
      onResult(passed, problem ?? '');
    }
    await pause(periodMs, signal);
  }
}

/** Resolves with the reason of a failure; undefined for a success. */
export async function probeOnce(probe: JsonValue, target: ProbeTarget): Promise<string | undefined> {
  const timeoutMs = (numberAt(probe, 'timeoutSeconds') ?? 1) * 1_000;
  const exec = getAt(probe, 'exec');
  if (exec !== undefined) {
    const { code, output } = await target.exec(arrayAt(exec, 'command').map(String), timeoutMs);
    return code === 0 ? undefined : output.trim().slice(0, 500) || `exit code ${code}`;
  }
  const http = getAt(probe, 'httpGet');
  if (http !== undefined) return httpProbe(http, target, timeoutMs);
  const tcp = getAt(probe, 'tcpSocket');
  if (tcp !== undefined)
    return tcpProbe(stringAt(tcp, 'host') ?? target.address, target.portOf(getAt(tcp, 'port')), timeoutMs);
  return 'this node has probes of the kinds exec, httpGet and tcpSocket';
}

function httpProbe(http: JsonValue, target: ProbeTarget, timeoutMs: number): Promise<string | undefined> {
  const headers = arrayAt(http, 'httpHeaders').map((each) => [
    stringAt(each, 'name') ?? '',
    stringAt(each, 'value') ?? '',
  ]);
  const options = {
    host: stringAt(http, 'host') ?? target.address,
    port: target.portOf(getAt(http, 'port')),
    path: stringAt(http, 'path') ?? '/',
    headers: { 'user-agent': 'kube-probe/1.36', ...Object.fromEntries(headers) },
    agent: false,
  };
  return new Promise((resolve) => {
    const isTls = stringAt(http, 'scheme') === 'HTTPS';
    const sent = isTls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    const timer = setTimeout(() => sent.destroy(new Error('context deadline exceeded')), timeoutMs);
    sent.once('response', (response) => {
      response.resume();
      clearTimeout(timer);
      const { statusCode = 0 } = response;
      const ok = statusCode >= 200 && statusCode < 400;
      resolve(ok ? undefined : `HTTP probe failed with statuscode: ${statusCode}`);
    });
    sent.once('error', (error) => {
      clearTimeout(timer);
      resolve(error.message);
    });
    sent.end();
  });
}

function tcpProbe(host: string, port: number, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const done = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => done());
    socket.once('timeout', () => done('i/o timeout'));
    socket.once('error', (error) => done(error.message));
  });
}
