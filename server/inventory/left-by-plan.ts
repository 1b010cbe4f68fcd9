import { formatTime } from '@/lib/clock/clock';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import type { PlanTrace } from '@/lib/kudo/inventory/after-plan';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import { type InventoryEntry, inventoryKey, keyOfObject } from '@/lib/kudo/inventory/inventory';
import { manifestDigest } from '@/lib/kudo/inventory/manifest-digest';
import { isSecret } from '@/lib/kudo/inventory/secret-data';
import { isStandingPlan, isSteadyObject } from '@/lib/kudo/inventory/steady-state';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import { tasksOf } from '@/lib/kudo/plan/status';
import type { Task } from '@/lib/kudo/types';
import type { TaskContext } from '@/server/tasks/context';
import { childManifest } from '@/server/tasks/kudo-operator';
import { renderOnce } from '@/server/tasks/render-objects';

/** What a {@link TaskContext} has for the whole run, without the place of a task. */
export type RunContext = Omit<TaskContext, 'phase' | 'step'>;

/** What an execution did, and the manifests of what it applied, by digest. */
export interface LeftByPlan {
  readonly trace: PlanTrace;
  readonly manifests: ReadonlyMap<string, KubeObject>;
  /** Digests of manifests that cannot be rendered again, or whose record on the object holds no values. */
  readonly irreplaceable: ReadonlySet<string>;
}

/** Whether a person had a step skipped. */
export type IsSkipped = (place: { readonly phase: string; readonly step: string }) => boolean;

/**
 * What an ended plan applied and deleted, from the renderings of its run; a rendering that a restart lost is rendered again to the
 * same bytes. Tasks count in the order of the plan: an object that is deleted after it was applied is not left. When the plan did
 * not complete, every object of a Delete task counts as deleted. What a skipped step would have applied counts as removed: nobody
 * knows whether it exists.
 */
export async function leftByPlan(context: RunContext, isComplete: boolean, isSkipped: IsSkipped): Promise<LeftByPlan> {
  const ledger = new Ledger();
  const { operatorVersion } = context;
  const plan = operatorVersion.spec?.plans?.[context.plan] ?? {};
  for (const { task, phase, step } of tasksOf(plan, operatorVersion.spec?.tasks ?? [])) {
    try {
      const placed = { ...context, phase, step };
      await (isSkipped(placed) ? forget(task, placed, ledger) : trace(task, placed, ledger));
    } catch (error) {
      // A plan may have failed because this task cannot be rendered.
      if (isComplete) throw error;
    }
  }
  return {
    trace: {
      plan: context.plan,
      uid: context.uid,
      startedAt: formatTime(context.startedAtMs),
      isStanding: isStandingPlan(operatorVersion, context.plan),
      isComplete,
      applied: [...ledger.applied.values()],
      removed: isComplete ? [...ledger.removed] : [...ledger.everRemoved],
    },
    manifests: ledger.manifests,
    irreplaceable: ledger.irreplaceable,
  };
}

class Ledger {
  readonly applied = new Map<string, InventoryEntry>();
  readonly removed = new Set<string>();
  readonly everRemoved = new Set<string>();
  readonly manifests = new Map<string, KubeObject>();
  readonly irreplaceable = new Set<string>();

  apply(entry: InventoryEntry, manifest: KubeObject | undefined, isRandom = false): void {
    const key = inventoryKey(entry);
    this.removed.delete(key);
    this.applied.set(key, entry);
    if (manifest === undefined) return;
    this.manifests.set(entry.digest, manifest);
    if (isRandom || isSecret(manifest)) this.irreplaceable.add(entry.digest);
  }

  remove(key: string): void {
    this.applied.delete(key);
    this.removed.add(key);
    this.everRemoved.add(key);
  }
}

async function trace(task: Task, context: TaskContext, ledger: Ledger): Promise<void> {
  switch (task.kind) {
    case 'Apply':
      return applied(task, context, ledger);
    case 'Delete':
      return removed(task, context, ledger);
    case 'Toggle':
      return isOn(task, context) ? applied(task, context, ledger) : removed(task, context, ledger);
    case 'Pipe':
      return piped(task, context, ledger);
    case 'KudoOperator': {
      const manifest = await childManifest(task, context);
      ledger.apply(entryOf(manifest, task, context), manifest);
    }
  }
}

async function forget(task: Task, context: TaskContext, ledger: Ledger): Promise<void> {
  if (task.kind === 'Apply' || task.kind === 'Delete' || task.kind === 'Toggle') return removed(task, context, ledger);
}

function isOn(task: Task, context: TaskContext): boolean {
  const value = context.parameters[task.spec?.parameter ?? ''];
  return typeof value === 'string' && parseGoBoolean(value) === true;
}

async function applied(task: Task, context: TaskContext, ledger: Ledger): Promise<void> {
  const { objects, isRandom } = await renderOnce(task, context);
  for (const object of objects) {
    if (isSteadyObject(object)) ledger.apply(entryOf(object, task, context), object, isRandom);
    else ledger.remove(keyOfObject(object));
  }
}

async function removed(task: Task, context: TaskContext, ledger: Ledger): Promise<void> {
  const { objects } = await renderOnce(task, context, { skipUnknownKinds: true });
  for (const object of objects) ledger.remove(keyOfObject(object));
}

/** The content of a pipe's artifacts came from its pod, so it is read from the cluster. */
async function piped(task: Task, context: TaskContext, ledger: Ledger): Promise<void> {
  for (const { key = '', kind = 'Secret' } of task.spec?.pipe ?? []) {
    const name = context.pipes[key];
    if (name === undefined) continue;
    const resource = kind === 'Secret' ? 'secrets' : 'configmaps';
    const namespace = namespaceOf(context.instance);
    const live = await context.api.get({ group: '', version: 'v1', resource, namespace, name });
    const manifest = live === undefined ? undefined : appliedManifest(live);
    const digest = manifest === undefined ? '' : manifestDigest(manifest, context.fingerprints);
    ledger.apply({ ...placeOf(task, context), apiVersion: 'v1', kind, name, digest }, manifest);
  }
}

function entryOf(object: KubeObject, task: Task, context: TaskContext): InventoryEntry {
  const { apiVersion, kind, metadata } = object;
  return {
    ...placeOf(task, context),
    apiVersion,
    kind,
    name: metadata.name ?? '',
    digest: manifestDigest(object, context.fingerprints),
  };
}

function placeOf(task: Task, { phase, step }: TaskContext) {
  return { phase, step, task: task.name };
}
