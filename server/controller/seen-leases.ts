import { createHash } from 'node:crypto';
import { numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { Api } from '@/server/kube/api';
import type { LeadershipOptions } from './leadership';
import { holderOf, LEASE_LABEL, type OwnLeaseOptions, SHARDS_ANNOTATION } from './shard-lease';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' } as const;
/** A member that was not heard of for so long does not come back under this name. */
const DEAD_MS = 120_000;

export function shardLeaseName(shard: number): string {
  return `bravo-controller-shard-${shard}`;
}

/** The name of a host may be longer than that of an object, or have other letters. */
export function memberLeaseName(identity: string): string {
  return `bravo-controller-member-${createHash('sha256').update(identity).digest('hex').slice(0, 10)}`;
}

/** The leases of members and shards, as the API server has them now. */
export async function listLeases(
  { api, namespace }: { readonly api: Api; readonly namespace: string },
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  return (await api.list({ ...LEASES, namespace }, { labelSelector: LEASE_LABEL, signal })).items;
}

/**
 * What was seen of all leases, and since when each is unchanged on our own monotonic clock: clocks of others do not count, as for
 * {@link LeaderLease}. All are followed from the start, so that one of a dead process has expired as soon as it may be taken.
 */
export class SeenLeases {
  private leases = new Map<string, { readonly live: KubeObject; readonly record: string; readonly sinceMs: number }>();

  constructor(
    private readonly options: Pick<LeadershipOptions, 'api' | 'clock' | 'namespace' | 'isGone'>,
    private readonly own: Pick<OwnLeaseOptions, 'identity' | 'shards' | 'durationMs'>,
  ) {}

  take(listed: readonly KubeObject[]): void {
    const nowMs = this.options.clock.monotonic();
    this.leases = new Map(
      listed.map((live) => {
        const record = JSON.stringify(live.spec ?? null);
        const before = this.leases.get(nameOf(live));
        return [nameOf(live), { live, record, sinceMs: before?.record === record ? before.sinceMs : nowMs }];
      }),
    );
  }

  find(name: string): KubeObject | undefined {
    return this.leases.get(name)?.live;
  }

  /** Identities of the controllers that live, this one among them, with the same number of shards. */
  members(): string[] {
    const { identity, shards } = this.own;
    const others = [...this.leases.values()].filter(({ live }) => {
      const isMember = live.metadata.labels?.[LEASE_LABEL] === 'member';
      return isMember && live.metadata.annotations?.[SHARDS_ANNOTATION] === String(shards);
    });
    const alive = others.map(({ live }) => live).filter((live) => !this.isFree(nameOf(live)));
    return [...new Set([identity, ...alive.map(holderOf)])];
  }

  /** True for what nobody holds: missing, released, expired, or of a process that is known to have ended. */
  isFree(name: string): boolean {
    const seen = this.leases.get(name);
    if (seen === undefined) return true;
    const holder = holderOf(seen.live);
    if (holder === '' || holder === this.own.identity || this.options.isGone?.(holder) === true) return true;
    return this.ageMs(seen) > this.durationMs(seen.live);
  }

  /** Deletes leases of members that are gone, so that they do not pile up. */
  async removeDead(): Promise<void> {
    const { api, namespace } = this.options;
    for (const [name, seen] of this.leases) {
      if (seen.live.metadata.labels?.[LEASE_LABEL] !== 'member' || this.ageMs(seen) < DEAD_MS) continue;
      const { uid, resourceVersion } = seen.live.metadata;
      await api.delete({ ...LEASES, namespace, name }, { uid, resourceVersion }).catch(() => undefined);
    }
  }

  private ageMs({ sinceMs }: { readonly sinceMs: number }): number {
    return this.options.clock.monotonic() - sinceMs;
  }

  private durationMs(live: KubeObject): number {
    const seconds = numberAt(live.spec, 'leaseDurationSeconds');
    return seconds === undefined || stringAt(live.spec, 'renewTime') === undefined
      ? this.own.durationMs
      : seconds * 1_000;
  }
}
