import { pick } from '@/lib/json/pick';
import { type KubeObject, nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { approvalState, PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import type { RunNotice } from '@/lib/kudo/runs/plan-run';
import type { Api, Target } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import { isOlder } from '@/server/kube/older-version';

/** The newest known state of every PlanApproval: the watched copy, or the result of one of our own writes when that is newer. */
export class PlanApprovalStore {
  constructor(
    private readonly api: Api,
    private readonly cache: Cache,
    private readonly own = new Map<string, PlanApproval>(),
  ) {}

  /** The same store with another client for reads and writes. */
  through(api: Api): PlanApprovalStore {
    return new PlanApprovalStore(api, this.cache, this.own);
  }

  /** Keys (`namespace/name`) of all known requests, in no order. */
  keys(): string[] {
    return this.cache.list().map(namespacedName);
  }

  get(key: string): PlanApproval | undefined {
    const slash = key.indexOf('/');
    const cached = this.cache.get(key.slice(0, slash), key.slice(slash + 1)) as PlanApproval | undefined;
    const own = this.own.get(key);
    if (own === undefined) return cached;
    if (cached !== undefined && own.metadata.uid === cached.metadata.uid && isOlder(cached, own)) return own;
    this.own.delete(key);
    return cached;
  }

  /** Reads live; undefined when the request does not exist. */
  async refresh(key: string): Promise<PlanApproval | undefined> {
    const slash = key.indexOf('/');
    const target = { ...PLAN_APPROVALS, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
    const live = (await this.api.get(target)) as PlanApproval | undefined;
    if (live === undefined) this.own.delete(key);
    else this.own.set(key, live);
    return live;
  }

  /**
   * Replaces the list of notices.
   *
   * @throws ConflictError when the request is not as it is known
   */
  async patchNotices(approval: PlanApproval, notices: readonly RunNotice[]): Promise<void> {
    const { resourceVersion = '' } = approval.metadata;
    const target: Target = { ...PLAN_APPROVALS, namespace: namespaceOf(approval), name: nameOf(approval) };
    const patch = { metadata: { resourceVersion }, status: { notices: notices.map((entry) => ({ ...entry })) } };
    const written = await this.api.patch(target, 'merge', patch, { subresource: 'status' });
    this.own.set(namespacedName(written), written as PlanApproval);
  }
}

/** Without what the controller does not need of a request in memory: managed fields; of one that was decided all but its name and what became of it. */
export function shrinkApproval(object: KubeObject): PlanApproval {
  const { managedFields: _, ...metadata } = object.metadata;
  const approval = { ...object, metadata } as PlanApproval;
  if (approvalState(approval) === 'waiting') return approval;
  return {
    ...approval,
    metadata: pick(metadata, ['name', 'namespace', 'uid', 'resourceVersion']),
    spec: pick(approval.spec ?? {}, ['instanceName', 'plan']),
  };
}
