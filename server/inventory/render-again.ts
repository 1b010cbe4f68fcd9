import { type Clock, parseTime } from '@/lib/clock/clock';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { type InventoryEntry, type InventoryRun, inventoryKey, keyOfObject } from '@/lib/kudo/inventory/inventory';
import { hasDigest } from '@/lib/kudo/inventory/manifest-digest';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { instanceOfRun, type SecretInputs } from '@/lib/kudo/plan/run-inputs';
import { pipeNames } from '@/lib/kudo/rendering/pipe-names';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import { DEFAULT_PIPES } from '@/server/config/pipes';
import type { Api } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';
import type { Log } from '@/server/log/log';
import { readSources } from '@/server/parameters/read-sources';
import { unreadSource, valuesAt } from '@/server/parameters/with-read-values';
import type { RunMemory, TaskContext } from '@/server/tasks/context';
import { childManifest } from '@/server/tasks/kudo-operator';
import { MissingKindError } from '@/server/tasks/missing-kind';
import { renderOnce } from '@/server/tasks/render-objects';
import type { TextRenderer } from '@/server/tasks/render-texts';

export interface RenderAgainContext {
  readonly api: Api;
  readonly kinds: KindIndex;
  readonly clock: Clock;
  readonly log: Log;
  readonly renderTexts: TextRenderer;
  readonly fingerprints: Fingerprinter;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
}

/**
 * The manifest of an entry, rendered as its run did: time comes from the run, so the bytes are the same unless templates or
 * parameters have changed since. Only what has the recorded digest is given; undefined otherwise, and for a manifest with
 * random bytes, because the key of a run is deleted at its end.
 */
export async function renderAgain(
  entry: InventoryEntry,
  run: InventoryRun,
  context: RenderAgainContext,
): Promise<KubeObject | undefined> {
  const task = context.operatorVersion.spec?.tasks?.find(({ name }) => name === entry.task);
  if (task === undefined || entry.digest === '') return undefined;
  try {
    const reads = await readSources(context.api, [context.instance]);
    if (unreadSource(context.instance, reads) !== undefined) return undefined;
    const inputs = valuesAt(actedUpon(context.instance)?.sources ?? {}, reads);
    const objects = await objectsOf(task, taskContext(entry, run, { ...context, inputs }));
    const same = objects.find((object) => keyOfObject(object) === inventoryKey(entry));
    return same !== undefined && hasDigest(same, entry.digest, context.fingerprints) ? same : undefined;
  } catch (error) {
    if (error instanceof RenderError || error instanceof MissingKindError) return undefined;
    throw error;
  }
}

async function objectsOf(task: Task, context: TaskContext): Promise<readonly KubeObject[]> {
  if (task.kind === 'KudoOperator') return [await childManifest(task, context)];
  if (task.kind !== 'Apply' && task.kind !== 'Toggle') return [];
  return (await renderOnce(task, context)).objects;
}

function taskContext(
  entry: InventoryEntry,
  run: InventoryRun,
  { inputs, ...context }: RenderAgainContext & { readonly inputs: SecretInputs },
): TaskContext {
  const { operatorVersion } = context;
  const instance = instanceOfRun(context.instance, context.fingerprints, inputs);
  const plan = operatorVersion.spec?.plans?.[run.plan] ?? {};
  return {
    ...context,
    instance,
    plan: run.plan,
    phase: entry.phase,
    step: entry.step,
    uid: run.uid,
    startedAtMs: parseTime(run.startedAt) ?? 0,
    parameters: unwrapParameters(operatorVersion, instance.spec?.parameters),
    pipes: pipeNames(nameOf(instance), run.plan, plan, operatorVersion.spec?.tasks ?? []),
    memory: forgetful,
    pipePods: DEFAULT_PIPES,
    isFirstPlan: false,
    podsOf: () => [],
  };
}

const forgetful: RunMemory = {
  rendered: (_key, render) => render(),
  randomness: () => ({ from: 'none' }),
  storeKey: () => Promise.resolve(true),
  store: () => Promise.resolve(true),
};
