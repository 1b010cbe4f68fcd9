import { BravoError, ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import { namespacedName, namespaceOf } from '@/lib/kube/object';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { backoffMs } from '@/server/kube/backoff';
import type { ResourceWake } from '@/server/own-kinds/own-kind-deps';
import { reconcileResource } from '@/server/own-kinds/reconcile-resource';
import { WorkQueue } from './queue';
import type { ReconcilerDeps } from './reconciler-deps';
import { ownerKeyOf } from './watches';

const RETRY = { floorMs: 500, ceilingMs: 60_000 } as const;
/** Resources that are looked at at once. */
const CONCURRENCY = 4;
/** The watch events of one rollout come together; one look serves them all. */
const TOGETHER_MS = 100;

/** Acts on the resources of kinds that operators brought, while this controller leads. */
export class OwnKinds {
  private term: OwnKindTerm | undefined;

  /** @param deps of the leader term that begins */
  start(deps: ReconcilerDeps): void {
    this.stop().catch(() => undefined);
    this.term = new OwnKindTerm(deps);
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    const { term } = this;
    this.term = undefined;
    await term?.stop();
  }
}

/** A resource has the key `CRD/NAMESPACE/NAME`, and belongs to the shard of an Instance of its name. */
class OwnKindTerm {
  private readonly queue: WorkQueue;
  private readonly failures = new Map<string, number>();
  /** Keys of resources by the key of the Instance of another name that they are about. */
  private readonly about = new Map<string, Set<string>>();
  private readonly ends: (() => void)[] = [];
  private isOver = false;

  constructor(private readonly deps: ReconcilerDeps) {
    const { watches, clock } = deps;
    this.queue = new WorkQueue({ clock, concurrency: CONCURRENCY, run: (key) => this.run(key) });
    this.ends.push(watches.ownKinds.onChange((key) => this.look(key)));
    this.ends.push(watches.instances.onChange(({ object }) => this.instanceChanged(namespacedName(object))));
    this.ends.push(watches.objects.onChange((key) => this.instanceChanged(key)));
    this.ends.push(watches.operatorVersions.onChange(({ object }) => this.versionChanged(namespaceOf(object))));
    this.ends.push(
      watches.planRuns.onChange(({ object }) => {
        this.instanceChanged(`${namespaceOf(object)}/${(object as PlanRun).spec?.instanceName ?? ''}`);
      }),
    );
    for (const name of ['deployments', 'statefulsets'] as const) {
      const end = watches.workloads.get(name)?.onChange((change) => {
        const key = ownerKeyOf(change);
        if (key !== undefined) this.instanceChanged(key);
      });
      if (end !== undefined) this.ends.push(end);
    }
    for (const key of watches.ownKinds.keys()) this.look(key);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    for (const end of this.ends.splice(0)) end();
    await this.queue.stop();
  }

  private look(key: string): void {
    const [, namespace = '', name = ''] = key.split('/');
    if (this.deps.owns(`${namespace}/${name}`)) this.queue.addAfter(key, TOGETHER_MS, 'normal');
  }

  private instanceChanged(instance: string): void {
    const keys = [...this.deps.watches.ownKinds.namedLike(instance), ...(this.about.get(instance) ?? [])];
    for (const key of keys) this.look(key);
  }

  private versionChanged(namespace: string): void {
    for (const key of this.deps.watches.ownKinds.keys(namespace)) this.look(key);
  }

  private async run(key: string): Promise<void> {
    const watched = this.deps.watches.ownKinds.get(key);
    if (watched === undefined) {
      this.forget(key);
      return;
    }
    try {
      const wake = await reconcileResource(this.deps, watched);
      this.failures.delete(key);
      this.wake(key, wake);
    } catch (error) {
      if (!this.isOver) this.queue.addAfter(key, this.retryInMs(key, error), 'normal');
    }
  }

  private wake(key: string, { afterMs, instance }: ResourceWake): void {
    if (instance !== undefined) this.about.set(instance, (this.about.get(instance) ?? new Set()).add(key));
    if (afterMs !== undefined) this.queue.addAfter(key, afterMs, 'normal');
  }

  private forget(key: string): void {
    this.failures.delete(key);
    for (const [instance, keys] of this.about) {
      if (keys.delete(key) && keys.size === 0) this.about.delete(instance);
    }
  }

  private retryInMs(key: string, error: unknown): number {
    const { log, random } = this.deps;
    const count = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, count);
    if (!(error instanceof BravoError)) log.error('own-kind.bug', { resource: key, problem: messageOf(error) });
    else if (!this.isOver && !(error instanceof ConflictError)) {
      log.warn('own-kind.failed', { resource: key, reason: error.reason, problem: error.message });
    }
    const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(asked, backoffMs(count, RETRY, random));
  }
}
