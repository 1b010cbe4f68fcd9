import type { Clock, Timer } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { Topic } from '@/lib/live/topic';
import type { Feed } from '@/server/live/feed';
import type { LiveHub } from '@/server/live/hub';

const rbac = (resource: string): Topic => ({ group: 'rbac.authorization.k8s.io', version: 'v1', resource });
const WATCHED = [rbac('roles'), rbac('rolebindings'), rbac('clusterroles'), rbac('clusterrolebindings')];
/** A role and its binding come together: what was granted is asked for once. */
const GATHER_MS = 300;

/** Takes the namespace whose rights may have changed; undefined for all. */
export type OnRbacChange = (namespace: string | undefined) => void;

/**
 * Watches roles and bindings with the console's own account while somebody's rights are needed, and reports where rights may have
 * changed. What was granted is not read from them: other authorizers may say otherwise, and the API server is asked.
 */
export class RbacChanges {
  private readonly feeds: { readonly feed: Feed; readonly stop: () => void }[] = [];
  private readonly changed = new Set<string>();
  private timer: Timer | undefined;

  constructor(
    private readonly hub: Pick<LiveHub, 'acquire'>,
    private readonly clock: Clock,
    private readonly onChange: OnRbacChange,
  ) {}

  /** True while all four kinds are watched, so that no change is missed. */
  get isWatched(): boolean {
    return this.feeds.length > 0 && this.feeds.every(({ feed }) => feed.isReady && feed.staleSinceMs === undefined);
  }

  /** Idempotent. */
  start(): void {
    if (this.feeds.length > 0) return;
    for (const topic of WATCHED) this.feeds.push(this.watch(topic));
  }

  /** Idempotent. */
  stop(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.changed.clear();
    for (const { stop } of this.feeds.splice(0)) stop();
  }

  private watch(topic: Topic): { feed: Feed; stop: () => void } {
    const { feed, release } = this.hub.acquire(topic);
    // Objects that were there before tell nothing new; after a gap anything may have changed.
    let hasBegun = false;
    const report = (object: KubeObject) => {
      if (hasBegun) this.report(object.metadata.namespace ?? '');
    };
    const stop = feed.follow({
      part: () => {},
      ready: () => {
        if (hasBegun) this.report('');
        hasBegun = true;
      },
      changed: report,
      deleted: report,
      problem: () => {},
      stale: () => {},
    });
    return {
      feed,
      stop: () => {
        stop();
        release();
      },
    };
  }

  private report(namespace: string): void {
    this.changed.add(namespace);
    this.timer ??= this.clock.after(GATHER_MS, () => {
      this.timer = undefined;
      const namespaces = [...this.changed];
      this.changed.clear();
      if (namespaces.includes('')) this.onChange(undefined);
      else for (const each of namespaces) this.onChange(each);
    });
  }
}
