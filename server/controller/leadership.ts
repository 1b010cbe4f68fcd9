import { LeaderLease, type LeaseOptions } from './lease';
import { ShardLeases } from './shard-leases';

/** Told which shards this process holds; of a controller without shards the only one is 0. */
export interface LeadershipHandlers {
  /** From now on this process acts for the Instances of the shard. */
  begins(shard: number): void;
  /** The lease is lost: every write is refused already. */
  lost(shard: number): void;
  /** Another process shall have the shard. Resolves with true when nothing of it is under way, with false when that takes too long. */
  ends(shard: number): Promise<boolean>;
}

export interface LeadershipOptions extends Omit<LeaseOptions, 'onChange' | 'onHolder'>, LeadershipHandlers {
  /** 1 or more. */
  readonly shards: number;
  /** Called with one sentence while controllers with another number of shards act, and with undefined when that is over. */
  onShardsDiffer?(problem: string | undefined): void;
}

/** For which shards this process may act. */
export interface Leadership {
  start(): void;
  /** At this very moment. */
  leads(shard: number): boolean;
  /** Releases everything: nothing of this process is under way. */
  stop(): Promise<void>;
  /** Renews nothing more; what is held expires. */
  abandon(): Promise<void>;
}

export function createLeadership(options: LeadershipOptions): Leadership {
  return options.shards === 1 ? new SingleLeadership(options) : new ShardLeases(options);
}

/** The one lease `bravo-controller`, as shard 0 of one. */
class SingleLeadership implements Leadership {
  private readonly lease: LeaderLease;

  constructor(options: LeadershipOptions) {
    this.lease = new LeaderLease({
      ...options,
      onChange: (leads) => (leads ? options.begins(0) : options.lost(0)),
    });
  }

  start(): void {
    this.lease.start();
  }

  leads(): boolean {
    return this.lease.leads;
  }

  stop(): Promise<void> {
    return this.lease.stop();
  }

  abandon(): Promise<void> {
    return this.lease.abandon();
  }
}
