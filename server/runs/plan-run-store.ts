import type { JsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { pendingNotices } from '@/lib/kudo/notices/run-notices';
import { numberOfRun } from '@/lib/kudo/runs/new-run';
import { isOver, PLAN_RUNS, type PlanRun, type PlanRunStatus } from '@/lib/kudo/runs/plan-run';
import { CREATED_ANNOTATION } from '@/lib/kudo/runs/signed-run';
import type { Instance } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import { isOlder } from '@/server/kube/older-version';
import { RunTrace } from './run-trace';

/**
 * The newest known state of every PlanRun: the watched copy, or the result of one of our own writes when that is newer. Finished ones
 * are known in part (see {@link shrinkRun}).
 */
export class PlanRunStore {
  private constructor(
    private readonly api: Api,
    private readonly cache: Cache,
    private readonly index: PlanRunIndex,
  ) {}

  /**
   * @param onUnknown called with the Instance (`namespace/name`) of a run that is open and that this process did not know: a former
   *   leader may have made it, or this process, which never got the answer
   */
  static over(api: Api, cache: Cache, onUnknown: (key: string) => void): PlanRunStore {
    return new PlanRunStore(api, cache, new PlanRunIndex(cache, onUnknown));
  }

  /** The same store with another client for reads and writes. */
  through(api: Api): PlanRunStore {
    return new PlanRunStore(api, this.cache, this.index);
  }

  /** False when the cluster does not serve PlanRuns, or does not let this controller list them: then runs have no records. */
  get isServed(): boolean {
    return this.cache.isSynced;
  }

  /** The PlanRun of an execution. */
  find(instance: Instance, uid: string): PlanRun | undefined {
    return this.findByKey(`${namespaceOf(instance)}/${nameOf(instance)}`, uid);
  }

  /** The PlanRun of an execution of the Instance `namespace/name`, which need not exist any more. */
  findByKey(key: string, uid: string): PlanRun | undefined {
    return this.index.of(key).find((run) => run.spec?.uid === uid);
  }

  /** All known runs of an Instance, in no order. */
  of(instance: Instance): PlanRun[] {
    return this.index.of(`${namespaceOf(instance)}/${nameOf(instance)}`);
  }

  /** The runs of an Instance (`namespace/name`) that are not over, also of a former one of that name. */
  open(key: string): PlanRun[] {
    return this.index.of(key).filter((run) => !isOver(run.status?.status));
  }

  /** The number that the next run of a plan has, as far as is known. */
  nextNumber(instance: Instance, plan: string): number {
    const name = nameOf(instance);
    return 1 + Math.max(0, ...this.of(instance).map((run) => numberOfRun(nameOf(run), name, plan)));
  }

  /** @throws ConflictError when a PlanRun has that name */
  async create(run: PlanRun): Promise<PlanRun> {
    return this.keep(await this.api.create({ ...PLAN_RUNS, namespace: namespaceOf(run) }, run));
  }

  async read(namespace: string, name: string): Promise<PlanRun | undefined> {
    const found = await this.api.get({ ...PLAN_RUNS, namespace, name });
    return found === undefined ? undefined : this.keep(found);
  }

  /**
   * Replaces the status.
   *
   * @throws ConflictError when the PlanRun is not as it is known
   */
  async writeStatus(run: PlanRun, status: PlanRunStatus): Promise<PlanRun> {
    const target: Target = { ...PLAN_RUNS, namespace: namespaceOf(run), name: nameOf(run) };
    return this.keep(await this.api.update(target, { ...run, status }, { subresource: 'status' }));
  }

  /** Adds to the status of a run that is known in part. */
  async patchStatus(run: PlanRun, status: PlanRunStatus): Promise<void> {
    const { resourceVersion = '' } = run.metadata;
    const target: Target = { ...PLAN_RUNS, namespace: namespaceOf(run), name: nameOf(run) };
    const patch = { metadata: { resourceVersion }, status: status as unknown as JsonObject };
    this.keep(await this.api.patch(target, 'merge', patch, { subresource: 'status' }));
  }

  /** Deletes a run as it is known; its record goes with it. */
  async delete(run: PlanRun): Promise<void> {
    const { uid, resourceVersion } = run.metadata;
    const target = { ...PLAN_RUNS, namespace: namespaceOf(run), name: nameOf(run) };
    await this.api.delete(target, { uid, resourceVersion, propagation: 'Background' });
  }

  /** All known runs, in no order. */
  all(): PlanRun[] {
    return this.cache.list() as PlanRun[];
  }

  private keep(object: KubeObject): PlanRun {
    const run = shrinkRun(object);
    this.index.put(run);
    return run;
  }
}

/**
 * Without what nobody needs of a run in memory: managed fields; of one that is over all but what names it and what decides how long its
 * record is kept, because there may be 50,000. What a notice still has to tell stays.
 */
export function shrinkRun(object: KubeObject): PlanRun {
  if (object instanceof RunTrace) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  const run = { ...object, metadata } as PlanRun;
  if (!isOver(run.status?.status)) return run;
  if (pendingNotices(run).length === 0) return new RunTrace(run);
  const { phases: _phases, changes: _changes, steering: _steering, ...others } = run.status ?? {};
  const { signature: _signature, recordSha256: _sha256, ...status } = others;
  const { [CREATED_ANNOTATION]: _created, ...annotations } = metadata.annotations ?? {};
  return { ...run, metadata: { ...metadata, annotations }, status };
}

/** The runs by their Instance, from the watch and our own writes. */
class PlanRunIndex {
  private readonly byInstance = new Map<string, Map<string, PlanRun>>();

  constructor(cache: Cache, onUnknown: (key: string) => void) {
    cache.onChange(({ type, object }) => {
      const run = object as PlanRun;
      if (type === 'DELETED') return this.drop(run);
      const isUnknown = !this.byInstance.get(keyOf(run))?.has(nameOf(run));
      this.put(run);
      if (isUnknown && !isOver(run.status?.status)) onUnknown(keyOf(run));
    });
  }

  of(key: string): PlanRun[] {
    return [...(this.byInstance.get(key)?.values() ?? [])];
  }

  /** An older state than the known one changes nothing. */
  put(run: PlanRun): void {
    const key = keyOf(run);
    const runs = this.byInstance.get(key) ?? new Map<string, PlanRun>();
    const known = runs.get(nameOf(run));
    if (known !== undefined && known.metadata.uid === run.metadata.uid && isOlder(run, known)) return;
    runs.set(nameOf(run), run);
    this.byInstance.set(key, runs);
  }

  private drop(run: PlanRun): void {
    const key = keyOf(run);
    const runs = this.byInstance.get(key);
    if (runs?.get(nameOf(run))?.metadata.uid !== run.metadata.uid) return;
    runs?.delete(nameOf(run));
    if (runs?.size === 0) this.byInstance.delete(key);
  }
}

function keyOf(run: PlanRun): string {
  return `${namespaceOf(run)}/${run.spec?.instanceName ?? ''}`;
}
