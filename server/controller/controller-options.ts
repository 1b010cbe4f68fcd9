import type { Clock } from '@/lib/clock/clock';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { Random } from '@/lib/random/random';
import type { NoticeSettings } from '@/server/config/notices';
import type { PipeSettings } from '@/server/config/pipes';
import type { Api } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import type { Log } from '@/server/log/log';
import type { ControllerMetrics } from '@/server/metrics/controller-metrics';
import type { PostNotice } from '@/server/notices/post-notice';
import type { TextRenderer } from '@/server/tasks/render-texts';
import type { OpenRepository } from '@/server/upgrades/open-repository';
import type { FingerprintKey } from './fingerprint-key';

export interface ControllerOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The holder of the lease; unique for this process. */
  readonly identity: string;
  /** Instances reconciled at once; 10 when absent. */
  readonly concurrency?: number;
  /** Where the lease is kept; `default` when absent. */
  readonly leaseNamespace?: string;
  /** Seconds without a renewal after which another controller takes over; 15 when absent. */
  readonly leaseDurationS?: number;
  /** Image and time of the pods of Pipe tasks; KUDO's image and an hour when absent. */
  readonly pipePods?: PipeSettings;
  /** Notices have no links, and no receivers on this machine, when absent. */
  readonly notices?: NoticeSettings;
  /** Replaces the HTTP client of notices, for tests. */
  readonly postNotice?: PostNotice;
  /** Where the console keeps its repositories; the namespace of the lease when absent. */
  readonly repositoriesNamespace?: string;
  /** Replaces the repositories of subscriptions, for tests. */
  readonly openRepository?: OpenRepository;
  /** Replaces the render worker, for the simulator. */
  readonly renderTexts?: TextRenderer;
  /** The key that the admission webhook of this process uses too; read or made by the controller when absent. */
  readonly fingerprints?: FingerprintKey;
  /** Counts and times what the controller does; absent where nobody measures. */
  readonly metrics?: ControllerMetrics;
  /** Keeps the usage ledgers of namespaces (server/usage); absent: no. */
  readonly countsUsage?: boolean;
  /** True when a holder is known to have ended, so that its lease need not expire; checks this machine's processes when absent. */
  isGone?(identity: string): boolean;
  /** The controller does not take the lease before this resolves. */
  readonly mayLead?: Promise<unknown>;
  /** Into how many shards the Instances are divided; 1 when absent. The same for all controllers of a cluster. */
  readonly shards?: number;
  /** Called with each shard that this process begins or ends to act for; of a controller without shards, the only one is 0. */
  onLeadership?(leads: boolean, shard: number): void;
  /** Called with one sentence while controllers with another number of shards act, and with undefined when that is over. */
  onShardsDiffer?(problem: string | undefined): void;
  /** Called with one sentence when the API server refuses the lease (403), and with undefined when that is over. */
  onLeaseRefused?(problem: string | undefined): void;
}

export interface Controller {
  /** True while it acts for Instances: of a controller without shards, for all of them. */
  readonly leads: boolean;
  /** True while it holds that shard. The webhook, and what exists once in a cluster, belong to shard 0. */
  leadsShard(shard: number): boolean;
  /** Resolves when all watches have read their first list. */
  readonly synced: Promise<void>;
  /** An OperatorVersion from the watched copy. */
  watchedVersion(namespace: string, name: string): OperatorVersion | undefined;
  /** Every watched copy. */
  readonly caches: readonly Cache[];
  /** In how many ms an Instance (`namespace/name`) is reconciled next; undefined when only a watch event will queue it. */
  requeueAfterMs(key: string): number | undefined;
  /** Takes no new work, ends running reconciles after their present step, and releases the lease. It still watches. */
  drain(): Promise<void>;
  /** Drains and ends the watches. */
  stop(): Promise<void>;
}
