import { BlockedError, TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { healthSentence } from '@/lib/kube/health/health';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { instanceHealth } from '@/lib/kudo/health/health';
import { lockInForce, lockWords } from '@/lib/kudo/lock/instance-lock';
import { CONFIRM_ANNOTATION, childInstanceName, OPERATOR_LABEL, operatorVersionName } from '@/lib/kudo/names';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { baseVariables } from '@/lib/kudo/rendering/variables';
import { wrapValue } from '@/lib/kudo/rendering/wrap';
import { type Instance, KUDO_API_VERSION, type ObjectReference, type Task } from '@/lib/kudo/types';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import type { Target } from '@/server/kube/api';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';
import { signOf } from './apply';
import { type ChildEdit, childConfirmation } from './child-confirmation';
import { memoryKey, type TaskContext } from './context';
import { renderTexts, withKeyStored } from './render-objects';

/** On a child: the names of the parameters that its parent has set, so that dropped ones can be removed (T-32). */
export const PARENT_PARAMETERS_ANNOTATION = 'bravo.kudo.dev/parent-parameters';

interface Child {
  readonly name: string;
  readonly version: ObjectReference;
  readonly parameters: { readonly [name: string]: string };
}

/**
 * KudoOperator: creates or updates a child Instance; done when the child's controller has acted upon that and the child is healthy.
 * A child that failed fails the parent (KUDO took it for healthy, T-03).
 */
export async function runKudoOperator(task: Task, context: TaskContext): Promise<TaskOutcome> {
  const child = await describeChild(task, context);
  const target: Target = { ...INSTANCES, namespace: namespaceOf(context.instance), name: child.name };
  const result = await retryOnConflict(async () => {
    const live = await context.api.get(target);
    if (live === undefined) return create(target, task, child, context);
    checkOperator(live, task);
    return update(target, live, child, context);
  });
  const health = instanceHealth(result as Instance, context.fingerprints);
  if (health.state === 'healthy') return { state: 'done' };
  const sentence = healthSentence(result, health);
  if (health.state === 'failed') return { state: 'fatal', reason: 'FailedTerminalStateError', message: sentence };
  return { state: 'waiting', messages: [sentence], waits: [{ what: sentence, sign: signOf(result, health, []) }] };
}

/** The child's manifest in this run; its parameters are rendered once, like every object. */
async function describeChild(task: Task, context: TaskContext): Promise<Child> {
  const spec = task.spec ?? {};
  const versionName = operatorVersionName(spec.package ?? '', spec.operatorVersion ?? '', spec.appVersion);
  // A parent whose OperatorVersion is in another namespace finds its children's there too (T-32).
  const { namespace = '' } = context.instance.spec?.operatorVersion ?? {};
  const version = namespace === '' ? { name: versionName } : { name: versionName, namespace };
  const name = spec.instanceName || childInstanceName(nameOf(context.instance), spec.package ?? '');
  const render = async () => {
    const { parameters, isRandom } = await childParameters(task, context);
    return {
      objects: [{ apiVersion: 'v1', kind: 'Parameters', metadata: {}, data: parameters }],
      warnings: [],
      isRandom,
    };
  };
  const { objects } = await withKeyStored(context, () => context.memory.rendered(memoryKey(context, task), render));
  return { name, version, parameters: (objects[0]?.data ?? {}) as { [name: string]: string } };
}

interface ChildParameters {
  readonly parameters: { readonly [name: string]: string };
  readonly isRandom: boolean;
}

async function childParameters(task: Task, context: TaskContext): Promise<ChildParameters> {
  const file = task.spec?.parameterFile ?? '';
  if (file === '') return { parameters: {}, isRandom: false };
  const variables = baseVariables(context.instance, context.operatorVersion, context.parameters);
  const { texts, isRandom } = await renderTexts([file], variables, task, context);
  const read = readYamlAsKubernetes(texts.get(file) ?? '');
  if (!read.ok)
    throw new RenderError(`the parameter file ${file} is no valid YAML: ${read.problems[0]?.message ?? ''}`);
  if (read.value === null) return { parameters: {}, isRandom };
  if (!isJsonObject(read.value)) throw new RenderError(`the parameter file ${file} is not a map`);
  const parameters: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(read.value)) {
    const text = wrapValue(value);
    if (text === undefined) throw new RenderError(`the parameter file ${file} gives "${name}" no value`);
    parameters[name] = text;
  }
  return { parameters, isRandom };
}

/** The child Instance as this run creates it. */
export async function childManifest(task: Task, context: TaskContext): Promise<KubeObject> {
  return manifestOf(task, await describeChild(task, context), context);
}

function create(target: Target, task: Task, child: Child, context: TaskContext): Promise<KubeObject> {
  return context.api.create(target, manifestOf(task, child, context));
}

function manifestOf(task: Task, child: Child, { instance }: TaskContext): KubeObject {
  return {
    apiVersion: KUDO_API_VERSION,
    kind: 'Instance',
    metadata: {
      name: child.name,
      namespace: namespaceOf(instance),
      labels: { [OPERATOR_LABEL]: task.spec?.package ?? '' },
      annotations: { [PARENT_PARAMETERS_ANNOTATION]: JSON.stringify(Object.keys(child.parameters)) },
      ownerReferences: [
        { apiVersion: KUDO_API_VERSION, kind: 'Instance', name: nameOf(instance), uid: instance.metadata.uid ?? '' },
      ],
    },
    spec: { operatorVersion: child.version, parameters: { ...child.parameters } },
  };
}

async function update(target: Target, live: KubeObject, child: Child, context: TaskContext): Promise<KubeObject> {
  const current = live as Instance;
  checkParent(current, context);
  const edit = editOf(current, child);
  if (Object.keys(edit).length === 0) return live;
  checkLock(current, context);
  const confirmation = await childConfirmation(current, edit, context);
  return context.api.patch(target, 'merge', patchOf(current, child, { edit, confirmation }));
}

/** @throws BlockedError while the child is locked: the lock of the parent may have been broken, but not that of the child */
function checkLock(child: Instance, { clock }: TaskContext): void {
  const lock = lockInForce(child, clock.now());
  if (lock === undefined) return;
  const name = `${namespaceOf(child)}/${nameOf(child)}`;
  throw new BlockedError(`The child Instance ${name} ${lockWords(lock)}.`, 'InstanceLocked');
}

function checkParent(live: Instance, context: TaskContext): void {
  const parents = (live.metadata.ownerReferences ?? []).filter((owner) => owner.kind === 'Instance');
  if (parents.length === 0 || parents.some((owner) => owner.uid === context.instance.metadata.uid)) return;
  throw new TerminalError(
    `Instance ${nameOf(live)} belongs to Instance ${parents[0]?.name ?? ''} and is not taken over.`,
    'NotOwned',
  );
}

/** An Instance that a person created is adopted when it is of the child's operator (KUDO adopted any, T-32). */
function checkOperator(live: KubeObject, { name, spec }: Task): void {
  const operator = live.metadata.labels?.[OPERATOR_LABEL] ?? '';
  const wanted = spec?.package ?? '';
  if (operator === '' || operator === wanted) return;
  throw new TerminalError(
    `Instance ${nameOf(live)} is one of operator ${operator} and is not made one of ${wanted}; ` +
      `give task ${name} another instanceName.`,
    'NotOwned',
  );
}

/** What the child lacks; empty when it is as the parent wants it. */
function editOf(live: Instance, child: Child): ChildEdit {
  const parameters: { [name: string]: string | null } = {};
  for (const [name, value] of Object.entries(child.parameters)) {
    if (live.spec?.parameters?.[name] !== value) parameters[name] = value;
  }
  for (const name of formerParameters(live)) {
    const isDropped = !Object.hasOwn(child.parameters, name) && Object.hasOwn(live.spec?.parameters ?? {}, name);
    if (isDropped) parameters[name] = null;
  }
  return {
    ...(live.spec?.operatorVersion?.name === child.version.name ? {} : { operatorVersion: child.version }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  };
}

function patchOf(
  live: Instance,
  child: Child,
  { edit, confirmation }: { readonly edit: ChildEdit; readonly confirmation: string | undefined },
): JsonObject {
  const { operatorVersion, parameters } = edit;
  const annotations = {
    [PARENT_PARAMETERS_ANNOTATION]: JSON.stringify(Object.keys(child.parameters)),
    ...(confirmation === undefined ? {} : { [CONFIRM_ANNOTATION]: confirmation }),
  };
  const { resourceVersion = '' } = live.metadata;
  return {
    metadata: { annotations, resourceVersion },
    spec: {
      ...(operatorVersion === undefined ? {} : { operatorVersion: { ...operatorVersion } }),
      ...(parameters === undefined ? {} : { parameters: { ...parameters } }),
    },
  };
}

function formerParameters(live: Instance): string[] {
  try {
    const names: unknown = JSON.parse(live.metadata.annotations?.[PARENT_PARAMETERS_ANNOTATION] ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
