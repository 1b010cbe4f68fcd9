import { nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { PLAN_SCHEDULES, type PlanSchedule, type PlanScheduleStatus } from '@/lib/kudo/schedules/plan-schedule';
import type { Api, Target } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import { isOlder } from '@/server/kube/older-version';

/** The newest known state of every PlanSchedule: the watched copy, or the result of one of our own writes when that is newer. */
export class PlanScheduleStore {
  constructor(
    private readonly api: Api,
    private readonly cache: Cache,
    private readonly own = new Map<string, PlanSchedule>(),
  ) {}

  /** The same store with another client for reads and writes. */
  through(api: Api): PlanScheduleStore {
    return new PlanScheduleStore(api, this.cache, this.own);
  }

  /** Keys (`namespace/name`) of all known schedules, in no order. */
  keys(): string[] {
    return this.cache.list().map(namespacedName);
  }

  get(key: string): PlanSchedule | undefined {
    const slash = key.indexOf('/');
    const cached = this.cache.get(key.slice(0, slash), key.slice(slash + 1)) as PlanSchedule | undefined;
    const own = this.own.get(key);
    if (own === undefined) return cached;
    if (cached !== undefined && own.metadata.uid === cached.metadata.uid && isOlder(cached, own)) return own;
    this.own.delete(key);
    return cached;
  }

  /** Reads live; undefined when the schedule does not exist. */
  async refresh(key: string): Promise<PlanSchedule | undefined> {
    const slash = key.indexOf('/');
    const target = { ...PLAN_SCHEDULES, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
    const live = (await this.api.get(target)) as PlanSchedule | undefined;
    if (live === undefined) this.own.delete(key);
    else this.own.set(key, live);
    return live;
  }

  /**
   * Replaces the status.
   *
   * @throws ConflictError when the schedule is not as it is known
   */
  async writeStatus(schedule: PlanSchedule, status: PlanScheduleStatus): Promise<PlanSchedule> {
    const target: Target = { ...PLAN_SCHEDULES, namespace: namespaceOf(schedule), name: nameOf(schedule) };
    const written = await this.api.update(target, { ...schedule, status }, { subresource: 'status' });
    this.own.set(namespacedName(written), written as PlanSchedule);
    return written as PlanSchedule;
  }
}
