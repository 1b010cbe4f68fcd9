import { stringAt } from '@/lib/json/json';
import { type KubeObject, namespacedName } from '@/lib/kube/object';
import { shardOf } from '@/lib/kudo/shards/shards';
import type { Sandbox } from '@/server/sandbox/sandbox';

const LEASE = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default' } as const;
const OF_AN_INSTANCE = /\/namespaces\/([^/]+)\/instances\/([^/?]+)\/status/;
const IN_NAMESPACE = /\/namespaces\/([^/?]+)\//;

/**
 * Who may write what, by the leases as they are stored. Without shards it is the holder of `bravo-controller`. With shards the status of
 * an Instance is written by the holder of its shard, and anything else in a namespace by a holder of the shard of one of its Instances: a plan also writes
 * the Instances that it creates. What is in no namespace of an Instance belongs to shard 0.
 */
export class LeaseHolders {
  /** Names of all Instances that ever were, by namespace: what is left of a deleted one is written too. */
  private readonly names = new Map<string, Set<string>>();

  constructor(private readonly shards: number) {}

  follow(instance: KubeObject): void {
    const { namespace = '' } = instance.metadata;
    this.names.set(namespace, (this.names.get(namespace) ?? new Set()).add(namespacedName(instance)));
  }

  /** @returns `by` when that process may send the request, else who may; undefined when nobody may */
  holderFor(sandbox: Sandbox, by: string, path: string): string | undefined {
    if (this.shards === 1) return this.holderOf(sandbox, 'bravo-controller');
    const [, namespace, name] = OF_AN_INSTANCE.exec(path) ?? [];
    if (namespace !== undefined) return this.holderOfShard(sandbox, shardOf(`${namespace}/${name ?? ''}`, this.shards));
    const keys = [...(this.names.get(IN_NAMESPACE.exec(path)?.[1] ?? '') ?? [])];
    const shards = keys.length === 0 ? [0] : keys.map((key) => shardOf(key, this.shards));
    const holders = shards.map((shard) => this.holderOfShard(sandbox, shard));
    return holders.includes(by) ? by : holders[0];
  }

  private holderOfShard(sandbox: Sandbox, shard: number): string | undefined {
    return this.holderOf(sandbox, `bravo-controller-shard-${shard}`);
  }

  private holderOf(sandbox: Sandbox, name: string): string | undefined {
    const holder = stringAt(sandbox.api.get({ ...LEASE, name }), 'spec', 'holderIdentity');
    return holder === '' ? undefined : holder;
  }
}
