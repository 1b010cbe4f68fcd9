import { shardOf } from '@/lib/kudo/shards/shards';
import type { Sandbox } from '@/server/sandbox/sandbox';
import type { ControllerReplica } from './replicas';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default' } as const;
const SHARD = /^bravo-controller-shard-(\d+)$/;
/** The status of an Instance, and the ConfigMaps that are named after one: `app-3-step-2`. */
const OF_AN_INSTANCE = /\/namespaces\/([^/]+)\/(?:instances\/(app-\d+)\/status|configmaps\/(app-\d+)-step)/;

/** Follows the leases of shards, and compares every write for an Instance with the holder of its shard. */
export class ShardWatch {
  /** By shard each holder, and an empty text when it was released, in order. */
  readonly holders: readonly string[][];
  /** Writes of a process that did not hold the shard. */
  readonly problems: string[] = [];
  /** Writes that were compared. */
  checked = 0;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly shards: number,
  ) {
    this.holders = Array.from({ length: shards }, () => []);
    sandbox.api.watch(LEASES, ({ object }) => {
      const seen = this.holders[Number(SHARD.exec(object.metadata.name ?? '')?.[1] ?? Number.NaN)];
      const holder = holderOf(object.spec);
      if (seen !== undefined && seen.at(-1) !== holder) seen.push(holder);
    });
  }

  /** How many shards the process holds. */
  heldBy({ running }: ControllerReplica): number {
    return this.holders.filter((_, shard) => this.pidOf(shard) === running.child.pid).length;
  }

  check({ running, proxy }: ControllerReplica): void {
    proxy.answered = ({ method, path }, status) => {
      const [, namespace, ...names] = OF_AN_INSTANCE.exec(path) ?? [];
      const name = names.find((each) => each !== undefined);
      if (method === 'GET' || status >= 300 || namespace === undefined || name === undefined) return;
      this.checked += 1;
      const pid = this.pidOf(shardOf(`${namespace}/${name}`, this.shards));
      if (pid !== running.child.pid) {
        this.problems.push(`${method} ${path} of ${running.child.pid} while ${pid ?? 'nobody'} held the shard`);
      }
    };
  }

  private pidOf(shard: number): number | undefined {
    const lease = this.sandbox.api.get({ ...LEASES, name: `bravo-controller-shard-${shard}` });
    const pid = holderOf(lease?.spec).split('/')[1];
    return pid === undefined ? undefined : Number(pid);
  }
}

function holderOf(spec: unknown): string {
  return (spec as { holderIdentity?: string } | undefined)?.holderIdentity ?? '';
}
