import type { ProxiedRequest } from '../proxy/fault';

/** Where a controller is killed around one of its writes. */
export type Point =
  /** The request has left the controller; the server never hears of it (C01). */
  | 'before'
  /** The server has done it; the controller never reads the answer (C02). */
  | 'lost'
  /** The answer is on its way back; the controller is killed when it asks for the next thing, which is not done (C03, C04). */
  | 'answered';

export const POINTS: readonly Point[] = ['before', 'lost', 'answered'];

/**
 * The n-th write (from 1) of that kind in what follows one of the actions of a life (its place from 0), and where. Counted within an
 * action, since a crash before it may add writes or leave some out.
 */
export interface CrashPoint {
  readonly action: number;
  readonly write: string;
  readonly nth: number;
  readonly point: Point;
}

/** At any time, whatever it does then: milliseconds from the first action of a life. */
export interface KillTime {
  readonly afterMs: number;
}

/** `[ACTION] WRITE #N POINT`, actions counted from 1. */
export function describeCrash({ action, write, nth, point }: CrashPoint): string {
  return `[${action + 1}] ${write} #${nth} ${point}`;
}

/** True for what changes something, running a command in a pod included; lease and webhook are no part of a plan. */
export function isWrite(request: ProxiedRequest): boolean {
  if (isLease(request) || isRegistration(request)) return false;
  return request.isSocket || request.method !== 'GET';
}

export function isLease({ path }: ProxiedRequest): boolean {
  return path.includes('/leases');
}

/** A controller registers its webhook when it starts, and tries before whether it is reached. */
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
