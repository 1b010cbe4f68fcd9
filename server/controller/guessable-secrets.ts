import { formatTime, parseTime } from '@/lib/clock/clock';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import { entriesOf, inventoryOf } from '@/lib/kudo/inventory/inventory';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { withExtraCondition } from '@/lib/kudo/plan/conditions';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { instanceOfRun, type SecretInputs } from '@/lib/kudo/plan/run-inputs';
import { pipeNames } from '@/lib/kudo/rendering/pipe-names';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import {
  type GuessableSecret,
  guessableKeys,
  guessableMessage,
  hasRandomTemplates,
  isSecretNamed,
  planThatReplaces,
  randomTasksOf,
} from '@/lib/kudo/secrets/guessable';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import { readSources } from '@/server/parameters/read-sources';
import { valuesAt } from '@/server/parameters/with-read-values';
import type { RunMemory, TaskContext } from '@/server/tasks/context';
import { MissingKindError } from '@/server/tasks/missing-kind';
import type { Randomness } from '@/server/tasks/randomness';
import { renderOnce } from '@/server/tasks/render-objects';
import type { ReconcilerDeps } from './reconciler-deps';

const REASON = 'GuessableSecret';

/**
 * Names the Secrets of an idle Instance whose values a version before 0.2 generated from public fields: as the condition
 * `GuessableSecret`, and as an event when it is new. Each Instance is checked once after each of its plans and at the start of a
 * controller. Proven by computing the values again, so that no other Secret is ever named.
 *
 * @returns the Instance as it is stored then
 */
export async function nameGuessableSecrets(
  deps: ReconcilerDeps,
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): Promise<Instance> {
  const { uid = '' } = instance.metadata;
  const latest = latestPlan(instance)?.status.uid ?? '';
  if (operatorVersion === undefined || deps.checkedForGuessable.get(uid) === latest) return instance;
  const found = hasRandomTemplates(operatorVersion) ? await guessableSecrets(deps, instance, operatorVersion) : [];
  deps.checkedForGuessable.set(uid, latest);
  const wanted = found.length === 0 ? undefined : { reason: REASON, message: guessableMessage(found) };
  const before = instance.status?.conditions;
  const conditions = withExtraCondition(before, REASON, wanted, formatTime(deps.clock.now()));
  if (conditions === before) return instance;
  if (wanted !== undefined) deps.events.record(instance, 'Warning', REASON, wanted.message);
  return deps.store.writeStatus({ ...instance, status: { ...instance.status, conditions: [...(conditions ?? [])] } });
}

async function guessableSecrets(
  deps: ReconcilerDeps,
  instance: Instance,
  operatorVersion: OperatorVersion,
): Promise<GuessableSecret[]> {
  const found: GuessableSecret[] = [];
  const inputs = valuesAt(actedUpon(instance)?.sources ?? {}, await readSources(deps.api, [instance]));
  for (const { entry } of entriesOf(inventoryOf(instance) ?? { runs: [] })) {
    if (entry.kind !== 'Secret' || entry.apiVersion !== 'v1') continue;
    const target = {
      group: '',
      version: 'v1',
      resource: 'secrets',
      namespace: namespaceOf(instance),
      name: entry.name,
    };
    const live = await deps.api.get(target);
    if (live === undefined || !isOwnedBy(live, instance.metadata.uid ?? '')) continue;
    const task = randomTasksOf(operatorVersion, placeOf(live)).find(({ name }) => name === entry.task);
    if (task === undefined) continue;
    const rendering = { deps, instance, operatorVersion, live, task, inputs };
    const predictable = await render(rendering, (text) => ({ from: 'legacy', text }));
    const random = await render(rendering, () => ({ from: 'system' }));
    if (predictable === undefined || random === undefined) continue;
    const keys = guessableKeys(live, predictable, random);
    if (keys.length > 0) found.push({ name: entry.name, keys, plan: planThatReplaces(operatorVersion, task.name) });
  }
  return found;
}

/** Where a plan applied an object last, by the marks on it. */
function placeOf({ metadata: { annotations = {} } }: KubeObject) {
  return {
    plan: annotations[PLAN_ANNOTATION] ?? '',
    phase: annotations[PHASE_ANNOTATION] ?? '',
    step: annotations[STEP_ANNOTATION] ?? '',
    uid: annotations[EXECUTION_UID_ANNOTATION] ?? '',
  };
}

interface Rendering {
  readonly deps: ReconcilerDeps;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
  readonly live: KubeObject;
  readonly task: Task;
  readonly inputs: SecretInputs;
}

/** The Secret as the task renders it with that source of random bytes; undefined when it does not any more. */
async function render(
  rendering: Rendering,
  randomness: (purpose: string) => Randomness,
): Promise<KubeObject | undefined> {
  const { live, task } = rendering;
  try {
    const { objects } = await renderOnce(task, contextOf(rendering, { ...FORGETFUL, randomness }));
    return objects.find((object) => isSecretNamed(object, nameOf(live)));
  } catch (error) {
    if (error instanceof RenderError || error instanceof MissingKindError) return undefined;
    throw error;
  }
}

const FORGETFUL: Omit<RunMemory, 'randomness'> = {
  rendered: (_key, render) => render(),
  storeKey: () => Promise.resolve(true),
  store: () => Promise.resolve(true),
};

function contextOf({ deps, instance, operatorVersion, live, inputs }: Rendering, memory: RunMemory): TaskContext {
  const place = placeOf(live);
  const begun = instanceOfRun(instance, deps.fingerprints, inputs);
  const plan = operatorVersion.spec?.plans?.[place.plan] ?? {};
  return {
    ...deps,
    ...place,
    instance: begun,
    operatorVersion,
    memory,
    parameters: unwrapParameters(operatorVersion, begun.spec?.parameters),
    pipes: pipeNames(nameOf(instance), place.plan, plan, operatorVersion.spec?.tasks ?? []),
    startedAtMs: parseTime(live.metadata.creationTimestamp) ?? 0,
    isFirstPlan: false,
    podsOf: () => [],
  };
}
