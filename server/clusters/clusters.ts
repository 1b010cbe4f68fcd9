import type { Clock, Timer } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { Random } from '@/lib/random/random';
import { Refusal } from '@/server/http/problem';
import type { Cluster } from '@/server/kube/credentials';
import type { Log } from '@/server/log/log';
import { atMost } from './at-most';
import { type ClusterRuntime, type KnownCluster, openCluster } from './cluster-runtime';
import { readClusterSecrets, type SecretCluster } from './cluster-secrets';

/** A cluster that another replica or person added is known within this time. */
const READ_EVERY_MS = 10_000;
/** A cluster that nobody reads from is closed after this time. */
const IDLE_MS = 5 * 60_000;
const SWEEP_MS = 30_000;
const WAIT_FOR_SECRETS_MS = 1_000;

export interface ClustersOptions {
  readonly home: ClusterRuntime;
  readonly homeTitle: string;
  /** Contexts of the kubeconfig, without the one of the home cluster. */
  readonly contexts: readonly KnownCluster[];
  /** The namespace of the home cluster with the Secrets; undefined: no Secrets are read. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

interface Open {
  readonly runtime: ClusterRuntime;
  /** Of the Secret that it was opened from. */
  readonly version: string;
  usedAtMs: number;
}

/**
 * The clusters of this console. Each has connections, watches and limits of its own and is opened when somebody asks for it, so that one
 * that hangs holds nothing that another one needs.
 */
export class Clusters {
  private readonly open = new Map<string, Open>();
  private secrets: readonly SecretCluster[] = [];
  private readAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;
  private sweeping: Timer | undefined;
  /** Why the Secrets could not be read; undefined when they were. */
  secretsProblem: string | undefined;

  constructor(private readonly options: ClustersOptions) {}

  get home(): ClusterRuntime {
    return this.options.home;
  }

  /** Where clusters are saved. @throws Refusal 409 where they are not */
  get namespace(): string {
    if (this.options.namespace !== undefined) return this.options.namespace;
    throw new Refusal(409, 'NoNamespace', 'This console keeps no clusters: it has no namespace of its own.');
  }

  /** All that are known now, the home cluster first. Secrets are read again when they are older than some seconds; a home cluster that is slow is not waited for. */
  async known(): Promise<readonly KnownCluster[]> {
    await atMost(this.options.clock, WAIT_FOR_SECRETS_MS, this.read());
    return this.listed();
  }

  /** The Secrets that name a cluster. */
  secretsOf(name: string): readonly SecretCluster[] {
    return this.secrets.filter((each) => each.name === name);
  }

  /** Secrets that name a cluster and cannot be used. */
  broken(): readonly SecretCluster[] {
    return this.secrets.filter(({ problem }) => problem !== undefined);
  }

  /**
   * What is kept of a cluster; it is opened now if it is not.
   *
   * @param name undefined for the home cluster
   * @throws Refusal 404 for a name that no cluster has
   */
  find(name: string | undefined): ClusterRuntime {
    const { home, clock } = this.options;
    if (name === undefined || name === home.name) return home;
    void this.read();
    const known = this.listed().find((each) => each.name === name);
    if (known?.cluster === undefined) throw this.unknown(name);
    const version = this.versionOf(name);
    const opened = this.open.get(name);
    const held = opened?.version === version ? opened : this.openAnew(known, known.cluster, version);
    held.usedAtMs = clock.monotonic();
    return held.runtime;
  }

  /** Reads the Secrets again now: one was just added or removed. */
  async readAgain(): Promise<void> {
    await this.reading;
    this.readAtMs = Number.NEGATIVE_INFINITY;
    await this.read();
  }

  async close(): Promise<void> {
    this.sweeping?.cancel();
    await Promise.all([...this.open.values()].map(({ runtime }) => runtime.close()));
    this.open.clear();
  }

  private listed(): readonly KnownCluster[] {
    const { home, homeTitle, contexts } = this.options;
    const own: KnownCluster = { name: home.name, title: homeTitle, source: 'home', summary: home.summary };
    const taken = new Set([own.name, ...contexts.map(({ name }) => name)]);
    const added = this.secrets.flatMap(({ name, cluster }): KnownCluster[] => {
      if (cluster === undefined || taken.has(name)) return [];
      taken.add(name);
      return [{ name, title: name, source: 'secret', summary: summaryOfCluster(cluster, name), cluster }];
    });
    return [own, ...contexts, ...added];
  }

  private versionOf(name: string): string {
    return this.secrets.find((each) => each.name === name)?.version ?? '';
  }

  private unknown(name: string): Refusal {
    const names = this.listed().map((each) => each.name);
    const shown = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`;
    return new Refusal(404, 'NoSuchCluster', `There is no cluster ${name}. This console knows ${shown}.`);
  }

  private openAnew(known: KnownCluster, cluster: Cluster, version: string): Open {
    this.drop(known.name);
    const held: Open = { runtime: openCluster({ ...known, cluster }, this.options), version, usedAtMs: 0 };
    this.open.set(known.name, held);
    this.sweepLater();
    return held;
  }

  private read(): Promise<void> {
    const { namespace, clock } = this.options;
    if (namespace === undefined || clock.monotonic() - this.readAtMs < READ_EVERY_MS) return Promise.resolve();
    this.reading ??= this.readOnce(namespace).finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readOnce(namespace: string): Promise<void> {
    const { home, clock, log } = this.options;
    try {
      this.secrets = await readClusterSecrets(home.api, namespace, clock);
      this.secretsProblem = undefined;
      this.dropRemoved();
    } catch (error) {
      const problem = `Secrets of clusters in namespace ${namespace} cannot be read: ${messageOf(error)}`;
      if (this.secretsProblem === undefined) log.warn('clusters.unread', { problem });
      this.secretsProblem = problem;
    }
    this.readAtMs = clock.monotonic();
  }

  private dropRemoved(): void {
    const names = new Set(this.listed().map(({ name }) => name));
    for (const name of [...this.open.keys()]) if (!names.has(name)) this.drop(name);
  }

  private drop(name: string): void {
    const held = this.open.get(name);
    this.open.delete(name);
    void held?.runtime.close();
  }

  private sweepLater(): void {
    this.sweeping ??= this.options.clock.after(SWEEP_MS, () => {
      this.sweeping = undefined;
      this.sweep();
      if (this.open.size > 0) this.sweepLater();
    });
  }

  /** A page that is open keeps a topic open: its cluster stays. */
  private sweep(): void {
    const nowMs = this.options.clock.monotonic();
    for (const [name, held] of this.open) {
      if (isRead(held.runtime)) held.usedAtMs = nowMs;
      if (nowMs - held.usedAtMs >= IDLE_MS) this.drop(name);
    }
  }
}

/** True while a page is open. Roles are watched for the console itself. */
function isRead({ hub }: ClusterRuntime): boolean {
  return hub.topics().some(({ topic, readers }) => readers > 0 && !topic.startsWith('rbac.authorization.k8s.io/'));
}

/** What pages say of a cluster that is not the home cluster. */
export function summaryOfCluster(cluster: Cluster, title: string): KnownCluster['summary'] {
  const { name, server, user, ownNamespace } = cluster;
  return { name, context: title, server, user, ownNamespace, isSandbox: false };
}
