import type { KubeObject } from '@/lib/kube/object';

/**
 * - `healthy`: as it should be.
 * - `progressing`: not yet, or not at the moment; it may still become healthy.
 * - `failed`: for good; only a new object or a change can help.
 * - `unknown`: nothing says.
 */
export type HealthState = 'healthy' | 'progressing' | 'failed' | 'unknown';

export interface Health {
  readonly state: HealthState;
  /** Without the object's name: `2 of 3 ready`. Empty when healthy and there is nothing to say. */
  readonly message: string;
}

export type HealthRule = (object: KubeObject) => Health;

export const HEALTHY: Health = { state: 'healthy', message: '' };

/** Not there yet, because of. */
export function progressing(message: string): Health {
  return { state: 'progressing', message };
}

/** Nothing says how it is. */
export function unknown(message: string): Health {
  return { state: 'unknown', message };
}

/** Failed for good, because of. */
export function failed(message: string): Health {
  return { state: 'failed', message };
}
