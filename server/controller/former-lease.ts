import { type Clock, parseTime, sleep } from '@/lib/clock/clock';
import { messageOf, TransientError } from '@/lib/errors/errors';
import { numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { LEASE_NAME } from '@/lib/kudo/installation/names';
import type { Api } from '@/server/kube/api';
import type { Log } from '@/server/log/log';

/** Where controllers keep their lease unless an installation says otherwise. */
export const FORMER_NAMESPACE = 'default';
const CHECK_EVERY_MS = 5_000;
/** A lease with no duration in it. */
const DURATION_S = 15;
/** A holder that was silent for so long has ended, whatever the clocks say. */
const LONG_AGO_MS = 3_600_000;

export interface FormerLeaseOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  /** Where this controller keeps its lease. */
  readonly namespace: string;
  /** Called when this controller begins to wait, and when it stops waiting. */
  onYield?(yields: boolean): void;
}

/** The wait for a controller that keeps its lease in the namespace `default`. */
export interface FormerLease {
  /** Resolves when no controller holds that lease, or when that cannot be found out. */
  readonly gone: Promise<void>;
  stop(): void;
}

/**
 * Older versions, and controllers outside of the cluster, hold the lease in the namespace `default`: with a lease elsewhere, two controllers
 * would act at once. So this controller waits at its start until the record there has not changed for its whole duration, measured on our own
 * monotonic clock. Who may not read that lease does not wait.
 */
export function awaitFormerLease(options: FormerLeaseOptions): FormerLease {
  const stopper = new AbortController();
  return { gone: wait(options, stopper.signal), stop: () => stopper.abort(new Error('The controller stops.')) };
}

async function wait(options: FormerLeaseOptions, signal: AbortSignal): Promise<void> {
  const { clock, namespace } = options;
  if (namespace === FORMER_NAMESPACE) return;
  const seen = new SeenRecord(clock);
  let yields = false;
  while (!signal.aborted) {
    const found = await read(options, signal);
    if (found !== 'unreachable') {
      const holder = stringAt(found, 'spec', 'holderIdentity') ?? '';
      if (holder === '' || seen.isOver(JSON.stringify(found?.spec ?? null), found)) break;
      if (!yields) say(options, holder);
      yields = true;
    }
    await sleep(clock, CHECK_EVERY_MS, signal).catch(() => undefined);
  }
  if (yields) options.onYield?.(false);
}

async function read(
  { api, log }: FormerLeaseOptions,
  signal: AbortSignal,
): Promise<KubeObject | undefined | 'unreachable'> {
  const target = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
  try {
    return await api.get({ ...target, namespace: FORMER_NAMESPACE, name: LEASE_NAME }, { signal });
  } catch (error) {
    if (!signal.aborted) log.warn('former-lease.unknown', { problem: messageOf(error) });
    return error instanceof TransientError ? 'unreachable' : undefined;
  }
}

function say({ log, onYield }: FormerLeaseOptions, holder: string): void {
  log.warn('former-lease.held', {
    holder,
    advice: `controller ${holder} leads with the lease ${FORMER_NAMESPACE}/${LEASE_NAME}; this one waits until it stops`,
  });
  onYield?.(true);
}

/** The record of a lease, and since when it is the same. */
class SeenRecord {
  private record = '';
  private sinceMs = 0;

  constructor(private readonly clock: Clock) {}

  isOver(record: string, lease: unknown): boolean {
    const nowMs = this.clock.monotonic();
    if (record !== this.record) {
      this.record = record;
      this.sinceMs = nowMs;
    }
    const durationMs = (numberAt(lease, 'spec', 'leaseDurationSeconds') ?? DURATION_S) * 1_000;
    if (nowMs - this.sinceMs > durationMs) return true;

    const renewedMs = parseTime(stringAt(lease, 'spec', 'renewTime'));
    return renewedMs !== undefined && this.clock.now() - renewedMs > LONG_AGO_MS;
  }
}
