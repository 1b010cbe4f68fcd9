import type { ProxiedRequest } from '../proxy/fault';

/** Where a controller is killed around one of its writes. */
export type Point =
  /** The controller has sent the request; the server never receives it. */
  | 'before'
  /** The server has done it; the controller never reads the answer. */
  | 'lost'
  /** The controller has the answer; it is killed at its next request, which the server does not receive. */
  | 'answered';

export const POINTS: readonly Point[] = ['before', 'lost', 'answered'];

/**
 * The n-th write (from 1) of that kind after one of the actions of a run (its index from 0), and the point. Counted within an
 * action, since a crash before it may add writes or leave some out.
 */
export interface CrashPoint {
  readonly action: number;
  readonly write: string;
  readonly nth: number;
  readonly point: Point;
}

/** At a time: milliseconds from the first action of a run. */
export interface KillTime {
  readonly afterMs: number;
}

/** `[ACTION] WRITE #N POINT`, actions counted from 1. */
export function describeCrash({ action, write, nth, point }: CrashPoint): string {
  return `[${action + 1}] ${write} #${nth} ${point}`;
}

/** True for requests that change something, commands in a pod included; lease and webhook are not part of a plan. */
export function isWrite(request: ProxiedRequest): boolean {
  if (isLease(request) || isRegistration(request)) return false;
  return request.isSocket || request.method !== 'GET';
}

export function isLease({ path }: ProxiedRequest): boolean {
  return path.includes('/leases');
}

/** A controller registers its webhook when it starts, and checks before whether the API server reaches it. */
function isRegistration({ path }: ProxiedRequest): boolean {
  return path.includes('/mutatingwebhookconfigurations') || path.includes('dryRun=All');
}

/** Method and path, the same in every namespace and for every run. */
export function writeName(request: ProxiedRequest, namespace: string): string {
  const path = request.path
    .replace(/^\/(api|apis)\//, '')
    .replace(`namespaces/${namespace}/`, '')
    .replace(/\/events\/.*/, '/events/*');
  return `${request.isSocket ? 'EXEC' : request.method} ${path}`;
}
