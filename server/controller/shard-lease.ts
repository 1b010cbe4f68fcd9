import { formatMicroTime } from '@/lib/clock/clock';
import { isJsonObject, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Target } from '@/server/kube/api';
import type { LeaseOptions } from './lease';

/** On every lease of a sharded controller: `shard` or `member`. */
export const LEASE_LABEL = 'bravo.kudo.dev/controller-lease';
/** How many shards a member knows. */
export const SHARDS_ANNOTATION = 'bravo.kudo.dev/shards';

export interface OwnLeaseOptions extends Pick<LeaseOptions, 'api' | 'clock' | 'namespace' | 'identity'> {
  readonly name: string;
  readonly kind: 'shard' | 'member';
  readonly shards: number;
  readonly durationMs: number;
}

/**
 * One Lease object of a sharded controller: taken, renewed and released by {@link ShardLeases}, which decides when. Every write is
 * guarded by the resourceVersion of what was decided upon.
 */
export class OwnLease {
  private held: KubeObject | undefined;
  private renewedAtMs = Number.NEGATIVE_INFINITY;
  /** A write failed: what is stored now is what the next list shows. */
  private mustRead = false;

  constructor(private readonly options: OwnLeaseOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** True while this process holds it, as far as it knows: perhaps it has expired. */
  get isHeld(): boolean {
    return this.held !== undefined;
  }

  /** True while this process holds it, and renewed it within two thirds of its duration. */
  get isValid(): boolean {
    return this.held !== undefined && this.ageMs < (this.options.durationMs * 2) / 3;
  }

  get isDue(): boolean {
    return this.held === undefined || this.ageMs >= this.options.durationMs / 3;
  }

  private get ageMs(): number {
    return this.options.clock.monotonic() - this.renewedAtMs;
  }

  /**
   * Takes or renews it.
   *
   * @param live as it was listed; undefined when it does not exist
   * @throws ConflictError when another process was faster
   */
  async write(live: KubeObject | undefined): Promise<void> {
    const { api, clock } = this.options;
    const atMs = clock.monotonic();
    const described = this.described(this.held ?? live);
    try {
      this.held = await (described.metadata.resourceVersion === undefined
        ? api.create(this.target, described)
        : api.update(this.target, described));
      this.renewedAtMs = atMs;
    } catch (error) {
      this.mustRead = true;
      throw error;
    }
  }

  /** Another process can take it at once. */
  async release(): Promise<void> {
    const { held } = this;
    this.held = undefined;
    if (held === undefined) return;
    const spec = isJsonObject(held.spec) ? held.spec : {};
    await this.options.api.update(this.target, {
      ...held,
      spec: { ...spec, holderIdentity: '', leaseDurationSeconds: 1 },
    });
  }

  /** It expires by itself. */
  abandon(): void {
    this.held = undefined;
  }

  /** What the API server lists of it: another holder ends ours. */
  seen(live: KubeObject | undefined): void {
    if (this.held === undefined) return;
    if (live === undefined || holderOf(live) !== this.options.identity) this.held = undefined;
    else if (this.mustRead) this.held = live;
    this.mustRead = false;
  }
  private get target(): Target {
    const { namespace, name } = this.options;
    return { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace, name };
  }

  private described(live: KubeObject | undefined): KubeObject {
    const { clock, namespace, name, kind, shards, identity, durationMs } = this.options;
    const now = formatMicroTime(clock.now());
    const isOurs = live !== undefined && holderOf(live) === identity;
    const transitions = numberAt(live?.spec, 'leaseTransitions') ?? 0;
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        ...(live?.metadata ?? { name, namespace }),
        labels: { [LEASE_LABEL]: kind },
        annotations: { [SHARDS_ANNOTATION]: String(shards) },
      },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: durationMs / 1_000,
        acquireTime: isOurs ? (stringAt(live?.spec, 'acquireTime') ?? now) : now,
        renewTime: now,
        leaseTransitions: isOurs || live === undefined ? transitions : transitions + 1,
      },
    };
  }
}

export function holderOf(lease: KubeObject): string {
  return stringAt(lease.spec, 'holderIdentity') ?? '';
}
