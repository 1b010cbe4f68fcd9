import type { KubeObject } from '@/lib/kube/object';
import { DEPENDENCIES_HASH_ANNOTATION } from '@/lib/kudo/names';
import { type DefinedKind, definedKinds, definitionOf, isDefined } from '@/lib/kudo/rendering/defined-kinds';
import {
  type DependencySource,
  dependenciesOf,
  dependencyHash,
  findInTask,
} from '@/lib/kudo/rendering/dependency-hash';
import { markPodTemplate, podTemplatePath } from '@/lib/kudo/rendering/enhance';
import {
  decodeTask,
  includedTemplates,
  markTask,
  type Rendered,
  type RenderInput,
  templateFailure,
  variablesOf,
} from '@/lib/kudo/rendering/render';
import { templateSource } from '@/lib/kudo/rendering/task-templates';
import type { TemplateVariables } from '@/lib/kudo/rendering/variables';
import type { Task } from '@/lib/kudo/types';
import { memoryKey, type TaskContext, type TaskObjects } from './context';
import { liveInputsOf } from './live-inputs';
import { MissingKindError } from './missing-kind';
import { randomFrom } from './randomness';

interface RenderOptions {
  readonly skipUnknownKinds?: boolean;
}

/**
 * The objects of a task in this run, ready to be written: rendered at the first call, the same bytes at every later one. Random
 * bytes and time in templates come from the run, so that a rendering that was lost gives the same again; the run's key is
 * stored before anything is returned that was made with it.
 */
export function renderOnce(task: Task, context: TaskContext, options: RenderOptions = {}): Promise<TaskObjects> {
  return withKeyStored(context, () => renderAhead(task, context, options));
}

/** Like {@link renderOnce}, but nothing is stored: the result may be read, and must not be written. */
export function renderAhead(task: Task, context: TaskContext, options: RenderOptions = {}): Promise<TaskObjects> {
  return context.memory.rendered(memoryKey(context, task), async () => {
    const rendered = await renderWithKinds(task, context, options.skipUnknownKinds === true);
    for (const warning of rendered.warnings) {
      context.log.warn('task.modernised', { task: task.name, instance: context.instance.metadata.name, warning });
    }
    await markDependencies(rendered.objects, context);
    return rendered;
  });
}

/** What was rendered, once what must not be forgotten is stored; rendered again when another process stored another key first. */
export async function withKeyStored(context: TaskContext, render: () => Promise<TaskObjects>): Promise<TaskObjects> {
  for (;;) {
    const rendered = await render();
    if (await storeFor(rendered, context)) return rendered;
  }
}

/** The key is enough for random bytes. The objects of the cluster may be others at the next reading, so all of the result is stored. */
function storeFor({ live, isRandom }: TaskObjects, context: TaskContext): Promise<boolean> {
  if (live !== undefined) return context.memory.store(context);
  return isRandom === true ? context.memory.storeKey(context) : Promise.resolve(true);
}

/**
 * Templates are rendered once; then discovery says which of the kinds exist, and the objects get their marks.
 * @throws MissingKindError for a kind that neither the cluster nor the task itself has, unless unknown kinds are skipped
 */
async function renderWithKinds(
  task: Task,
  context: TaskContext,
  skipUnknown: boolean,
): Promise<Rendered & TaskObjects> {
  // An old cluster may serve what a newer one has moved.
  await context.kinds.ready();
  const live = await liveInputsOf(task, context);
  const input: Omit<RenderInput, 'scopeOf'> = {
    operatorVersion: context.operatorVersion,
    instance: context.instance,
    plan: context.plan,
    phase: context.phase,
    step: context.step,
    uid: context.uid,
    parameters: context.parameters,
    pipes: context.pipes,
    environment: { clock: { now: () => context.startedAtMs }, random: randomFrom({ from: 'none' }) },
    serves: context.kinds.serves,
    ...(live === undefined ? {} : { live }),
  };
  const { texts, isRandom } = await renderTexts(includedTemplates(input, task), variablesOf(input), task, context);
  const decoded = decodeTask({ ...input, texts }, task);
  const missing = await missingKinds(decoded.objects, context);
  // The task creates these kinds itself, before it comes to their objects.
  const defined: ReadonlyMap<string, DefinedKind> = skipUnknown ? new Map() : definedKinds(decoded.objects);
  const isMissing = (object: KubeObject) => missing.has(kindKey(object)) && !isDefined(defined, object);
  const first = decoded.objects.find(isMissing);
  if (first !== undefined && !skipUnknown) throw new MissingKindError(first, definitionOf(defined, first));
  const scopeOf: RenderInput['scopeOf'] = (apiVersion, kind) => {
    const resource = context.kinds.known(apiVersion, kind);
    if (resource !== undefined) return resource.namespaced ? 'namespaced' : 'cluster';
    return definitionOf(defined, { apiVersion, kind })?.scope ?? 'namespaced';
  };
  const marked = markTask(withoutObjects(decoded, isMissing), { ...input, scopeOf }, task);
  return { ...marked, isRandom, ...(live === undefined ? {} : { live }) };
}

function withoutObjects(rendered: Rendered, isLeftOut: (object: KubeObject) => boolean): Rendered {
  const kept = rendered.objects.map((object) => !isLeftOut(object));
  return {
    ...rendered,
    objects: rendered.objects.filter((_, index) => kept[index]),
    templates: rendered.templates.filter((_, index) => kept[index]),
  };
}

/** The kinds of objects that the cluster does not serve; discovery is read again for one that it did not have before. */
async function missingKinds(objects: readonly KubeObject[], { kinds }: TaskContext): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const object of objects) {
    const { apiVersion, kind } = object;
    if (kinds.known(apiVersion, kind) !== undefined || missing.has(kindKey(object))) continue;
    if ((await kinds.resolve(apiVersion, kind)) === undefined) missing.add(kindKey(object));
  }
  return missing;
}

function kindKey({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  return `${apiVersion}/${kind}`;
}

/** Texts by template, and whether random bytes are in any of them. */
export interface RenderedTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly isRandom: boolean;
}

/**
 * The texts of templates. Random bytes and time are the run's, the same in every attempt.
 * @throws RenderError for the first template that gives none
 */
export async function renderTexts(
  names: readonly string[],
  variables: TemplateVariables,
  task: Task,
  context: TaskContext,
): Promise<RenderedTexts> {
  const results = await context.renderTexts({
    templates: names.map((name) => ({ name, text: templateSource(context.operatorVersion, name) })),
    values: { ...variables },
    randomness: context.memory.randomness(purposeOf(task, context)),
    nowMs: context.startedAtMs,
  });
  const texts = new Map<string, string>();
  let isRandom = false;
  for (const [index, name] of names.entries()) {
    const result = results[index];
    if (result === undefined) throw templateFailure(name, 'nothing came back');
    if ('error' in result) throw templateFailure(name, result.error.message);
    texts.set(name, result.text);
    isRandom ||= result.isRandom;
  }
  return { texts, isRandom };
}

/** Each task of each step of each run has a stream of random bytes of its own. */
function purposeOf(task: Task, { uid, phase, step }: TaskContext): string {
  return `${uid}/${phase}/${step}/${task.name}`;
}

async function markDependencies(objects: readonly KubeObject[], context: TaskContext): Promise<void> {
  for (const object of objects) {
    if (podTemplatePath(object) === undefined) continue;
    const dependencies = dependenciesOf(object);
    if (dependencies.length === 0) continue;
    const sources = await Promise.all(
      dependencies.map(async (dependency): Promise<DependencySource> => {
        const sibling = findInTask(objects, dependency);
        if (sibling !== undefined) return { from: 'task', object: sibling };
        const live = await context.api.get({
          group: '',
          version: 'v1',
          resource: dependency.kind === 'ConfigMap' ? 'configmaps' : 'secrets',
          namespace: dependency.namespace,
          name: dependency.name,
        });
        return live === undefined ? undefined : { from: 'live', object: live };
      }),
    );
    markPodTemplate(object, { [DEPENDENCIES_HASH_ANNOTATION]: dependencyHash(sources) });
  }
}
