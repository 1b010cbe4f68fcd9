import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { modernise, type Serves } from '@/lib/kudo/deprecations/modernise';
import { type LiveInputs, neededInputs } from '@/lib/kudo/live-values/live-inputs';
import { judgeIncluded, ruleFacts } from '@/lib/kudo/live-values/live-objects';
import { liveValuesOf } from '@/lib/kudo/live-values/live-values';
import { patchesOf, withPatches } from '@/lib/kudo/patches/object-patches';
import { phasesOf, stepsOf } from '@/lib/kudo/plan/status';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import type { RenderEnvironment } from '@/lib/template/contract';
import { parseTemplate, renderTemplate } from '@/lib/template/template';
import { decodeObjects } from './decode';
import { enhance, type ScopeOf } from './enhance';
import { nameOnce } from './name-once';
import { pipeNames } from './pipe-names';
import { RenderError } from './render-error';
import { templateSource, templatesOfTask } from './task-templates';
import type { TemplateParameters } from './unwrap';
import { baseVariables, type TemplateVariables } from './variables';
import { withoutNulls } from './without-nulls';

/** Everything that the objects of a task depend on. */
export interface RenderInput {
  readonly operatorVersion: OperatorVersion;
  readonly instance: Instance;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  /** Of this execution; goes into an annotation. */
  readonly uid: string;
  /** {@link unwrapParameters} of the values of this run. */
  readonly parameters: TemplateParameters;
  /** {@link pipeNames} of the plan. */
  readonly pipes: { readonly [key: string]: string };
  readonly scopeOf: ScopeOf;
  /** What the cluster serves, for {@link modernise}; the newest Kubernetes when undefined. */
  readonly serves?: Serves;
  /** Seeded by the run, so that a retry gives the same bytes. */
  readonly environment: RenderEnvironment;
  /** What the task sees of the cluster; absent when it needs nothing of it, or when that is not known here. */
  readonly live?: LiveInputs;
  /** Texts that were rendered elsewhere (in a worker), by template; others are rendered here. */
  readonly texts?: ReadonlyMap<string, string>;
}

export interface Rendered {
  /** In the order of the task's resources, then of their documents. */
  readonly objects: KubeObject[];
  /** The template of each of the objects, in their order. */
  readonly templates: string[];
  /** What was changed on the way, for the person: API versions that are gone. */
  readonly warnings: string[];
}

/** Why a template gave no text. `message` is Go's. */
export function templateFailure(name: string, message: string, cause?: unknown): RenderError {
  return new RenderError(`template ${name} cannot be rendered: ${message}`, 'TaskRenderingError', { cause });
}

/** The text of a template of the version with the variables. */
export function renderText(
  operatorVersion: OperatorVersion,
  name: string,
  variables: TemplateVariables,
  environment: RenderEnvironment,
): string {
  const text = templateSource(operatorVersion, name);
  try {
    return renderTemplate(parseTemplate(name, text), variables, { environment });
  } catch (error) {
    throw templateFailure(name, messageOf(error), error);
  }
}

/** What templates of resources and pipe pods see. */
export function variablesOf(input: Omit<RenderInput, 'scopeOf'>): TemplateVariables {
  return {
    ...baseVariables(input.instance, input.operatorVersion, input.parameters),
    PlanName: input.plan,
    PhaseName: input.phase,
    StepName: input.step,
    Pipes: input.pipes,
    ...(input.live === undefined ? {} : { Objects: input.live.objects, Refs: input.live.refs }),
  };
}

/**
 * The objects of one task as its templates give them: rendered, decoded and moved from removed API versions, not yet marked.
 * Templates are taken in their order, a name that occurs twice once. A task of a kind without templates has none.
 * @throws RenderError
 */
export function decodeTask(input: Omit<RenderInput, 'scopeOf'>, task: Task): Rendered {
  const variables = variablesOf(input);
  const objects: KubeObject[] = [];
  const templates: string[] = [];
  const warnings: string[] = [];
  for (const name of includedTemplates(input, task)) {
    const text = input.texts?.get(name) ?? renderText(input.operatorVersion, name, variables, input.environment);
    for (const decoded of patchedObjects(decodeObjects(name, text), name, input, variables)) {
      const modern = modernise(decoded, input.serves);
      if (modern.warning !== undefined) warnings.push(modern.warning);
      if (modern.object === undefined) continue;
      objects.push(withoutNulls(modern.object));
      templates.push(name);
    }
  }
  return { objects, templates, warnings };
}

function patchedObjects(
  objects: KubeObject[],
  name: string,
  { operatorVersion, environment }: Omit<RenderInput, 'scopeOf'>,
  variables: TemplateVariables,
): KubeObject[] {
  const render = (text: string) => renderTemplate(parseTemplate(`patch of ${name}`, text), variables, { environment });
  try {
    return withPatches(objects, name, patchesOf(operatorVersion), render);
  } catch (error) {
    throw new RenderError(`a patch of template ${name} does not apply: ${messageOf(error)}`, 'TaskRenderingError', {
      cause: error,
    });
  }
}

/**
 * The templates of a task that its rules include, in their order.
 * @throws RenderError for objects that are not known, and for a rule that is no expression
 */
export function includedTemplates(
  input: Pick<RenderInput, 'instance' | 'operatorVersion' | 'live'>,
  task: Task,
): string[] {
  const { instance, operatorVersion, live } = input;
  const needed = live === undefined ? neededInputs(operatorVersion, task) : undefined;
  if (needed !== undefined) {
    const names = [...needed.reads.map(({ id }) => id), ...needed.references.map(({ parameter }) => parameter)];
    throw new RenderError(`it reads objects of the cluster (${names.join(', ')})`);
  }
  const said = liveValuesOf(operatorVersion, task.name);
  const facts = () => ruleFacts(instance, operatorVersion, live?.objects ?? {});
  return templatesOfTask(task).filter((name) => {
    const verdict = judgeIncluded(said, name, facts);
    if (verdict !== 'holds' && !verdict.isFalse) throw new RenderError(`template ${name}: ${verdict.why}`);
    return verdict === 'holds';
  });
}

/**
 * Decoded objects with their namespace, owner, labels and annotations, and with a name. The objects are changed.
 * @throws RenderError
 */
export function markTask(decoded: Rendered, input: RenderInput, task: Task): Rendered {
  const objects = decoded.objects.map((object) => enhance(object, input, input.scopeOf));
  // The pod of a pipe is named after its task.
  if (task.kind !== 'Pipe') for (const object of objects) nameOnce(object, input);
  return { ...decoded, objects };
}

/** The objects of one task: its resources, or the pod of a pipe. Tasks of other kinds have none. */
export function renderTask(input: RenderInput, task: Task): Rendered {
  return markTask(decodeTask(input, task), input, task);
}

/** One task of a plan with what it renders, or why it cannot be rendered. */
export interface RenderedTask {
  readonly phase: string;
  readonly step: string;
  readonly task: Task;
  readonly rendered: Rendered | undefined;
  readonly problem: string | undefined;
}

/** What the preview of a plan needs. */
export interface PlanInput extends Omit<RenderInput, 'phase' | 'step' | 'pipes' | 'live'> {
  /** What tasks see of the cluster, by task, or a sentence that says why it is not known. */
  readonly liveByTask?: ReadonlyMap<string, LiveInputs | string>;
}

/** Every task of a plan, for previews. Problems are given, not thrown, but for a plan that does not exist. */
export function renderPlan({ liveByTask, ...input }: PlanInput): RenderedTask[] {
  const plan = input.operatorVersion.spec?.plans?.[input.plan];
  if (plan === undefined) throw new RenderError(`the operator has no plan ${input.plan}`, 'InvalidPlan');
  const tasks = input.operatorVersion.spec?.tasks ?? [];
  const pipes = pipeNames(input.instance.metadata.name ?? '', input.plan, plan, tasks);
  return phasesOf(plan).flatMap((phase) =>
    stepsOf(phase).flatMap((step) =>
      (step.tasks ?? []).map((name): RenderedTask => {
        const place = { phase: phase.name, step: step.name };
        const task = tasks.find((candidate) => candidate.name === name);
        if (task === undefined) {
          return { ...place, task: { name, kind: '' }, rendered: undefined, problem: `there is no task ${name}` };
        }
        const live = liveByTask?.get(name);
        if (typeof live === 'string') return { ...place, task, rendered: undefined, problem: live };
        try {
          const known = live === undefined ? {} : { live };
          const rendered = renderTask({ ...input, ...place, ...known, pipes }, task);
          return { ...place, task, rendered, problem: undefined };
        } catch (error) {
          return { ...place, task, rendered: undefined, problem: messageOf(error) };
        }
      }),
    ),
  );
}
