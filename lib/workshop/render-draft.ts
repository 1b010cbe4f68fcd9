import { messageOf, TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { newInstance } from '@/lib/kudo/package/to-objects';
import { parameterProblems } from '@/lib/kudo/parameters/parameter-problems';
import { secretParameters } from '@/lib/kudo/parameters/parameters';
import { phasesOf, stepsOf } from '@/lib/kudo/plan/status';
import { readPiece, splitDocuments } from '@/lib/kudo/rendering/decode';
import { pipeNames } from '@/lib/kudo/rendering/pipe-names';
import { type RenderInput, renderTask, renderText, variablesOf } from '@/lib/kudo/rendering/render';
import { templatesOfTask } from '@/lib/kudo/rendering/task-templates';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { baseVariables } from '@/lib/kudo/rendering/variables';
import type { OperatorVersion, Task } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import type { RenderEnvironment } from '@/lib/template/contract';
import { TemplateError } from '@/lib/template/template';
import { writeYaml } from '@/lib/yaml/yaml';

/** What is rendered: one plan, for an Instance that exists nowhere. */
export interface RenderWish {
  readonly plan: string;
  readonly instance: string;
  readonly namespace: string;
  /** Values that differ from the defaults. */
  readonly parameters: { readonly [name: string]: string };
}

/** What one template gives for one task of the plan. */
export interface RenderedTemplate {
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  /** The kind of the task. */
  readonly kind: string;
  /** The key of the template; empty for a task without one. */
  readonly template: string;
  readonly objects: readonly RenderedDraftObject[];
  /** API versions that are converted for the cluster, in sentences. */
  readonly warnings: readonly string[];
  readonly problem: RenderProblem | undefined;
}

export interface RenderedDraftObject {
  readonly kind: string;
  readonly name: string;
  readonly yaml: string;
}

/** Why a template gives nothing. */
export interface RenderProblem {
  /** From 1, in the template; 0 when the rendered text is wrong, and no line of the template. */
  readonly line: number;
  readonly message: string;
  /** What the template gave when that is wrong, and the line in it; 0 when no line is known. */
  readonly text?: string;
  readonly textLine?: number;
}

/** A rendered plan, or why nothing could be rendered. */
export interface RenderedDraft {
  readonly templates: readonly RenderedTemplate[];
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

/** The same random bytes and the same moment for each rendering, so that only an edit changes what is shown. */
const environmentOf = (place: string): RenderEnvironment => ({
  clock: { now: () => 1_600_000_000_000 },
  random: keyStream(new Uint8Array(STREAM_KEY_BYTES), place),
  hasDraftKeys: true,
});

/**
 * Every template of every task of a plan, rendered by itself, so that one that fails does not hide the others. Objects are as the plan
 * applies them, with owner, labels and annotations; values of secret parameters that were entered are masked.
 */
export function renderDraft(version: OperatorVersion, wish: RenderWish): RenderedDraft {
  const plan = version.spec?.plans?.[wish.plan];
  const problems = parameterProblems(version, wish.parameters).map(({ path, message }) => ({ field: path, message }));
  if (plan === undefined || problems.length > 0) return { templates: [], problems };
  const { namespace } = wish;
  const instance = newInstance(version, { namespace, name: wish.instance, parameters: wish.parameters });
  const tasks = version.spec?.tasks ?? [];
  const shared = {
    operatorVersion: { ...version, metadata: { ...version.metadata, namespace } },
    instance,
    plan: wish.plan,
    uid: 'draft',
    scopeOf: () => 'namespaced' as const,
  };
  const mask = maskOf(version, wish);
  try {
    const parameters = unwrapParameters(version, wish.parameters);
    const pipes = pipeNames(wish.instance, wish.plan, plan, tasks);
    const templates = phasesOf(plan).flatMap((phase) =>
      stepsOf(phase).flatMap((step) =>
        (step.tasks ?? []).flatMap((name) => {
          const task = tasks.find((each) => each.name === name);
          const place = { phase: phase.name, step: step.name };
          const environment = environmentOf(`${wish.plan}/${phase.name}/${step.name}/${name}`);
          return task === undefined
            ? []
            : renderOne({ ...shared, ...place, parameters, pipes, environment }, task, mask);
        }),
      ),
    );
    return { templates, problems };
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    return { templates: [], problems: [{ field: '', message: error.message }] };
  }
}

function renderOne(input: RenderInput, task: Task, mask: (text: string) => string): RenderedTemplate[] {
  const place = { phase: input.phase, step: input.step, task: task.name, kind: task.kind };
  const parameterFile = task.spec?.parameterFile ?? '';
  if (parameterFile !== '') return [{ ...place, ...renderParameterFile(input, parameterFile, mask) }];
  const keys = templatesOfTask(task);
  if (keys.length === 0) return [{ ...place, ...NOTHING, template: '' }];
  return keys.map((template) => {
    try {
      const { objects, warnings } = renderTask(input, onlyTemplate(task, template));
      const shown = objects.map((object) => ({
        kind: object.kind,
        name: nameOf(object),
        yaml: mask(writeYaml(object)),
      }));
      return { ...place, template, objects: shown, warnings, problem: undefined };
    } catch (error) {
      const problem = problemOfTemplate(error);
      const text = problem.line > 0 ? '' : wrongText(input, template);
      const shown = text === '' ? {} : { text: mask(text), textLine: wrongLine(text) };
      return { ...place, ...NOTHING, template, problem: { ...problem, ...shown } };
    }
  });
}

/** The text that could not be read as objects; empty when there is none. */
function wrongText(input: RenderInput, template: string): string {
  try {
    return renderText(input.operatorVersion, template, variablesOf(input), input.environment);
  } catch {
    return '';
  }
}

const NOTHING = { objects: [], warnings: [], problem: undefined };

function onlyTemplate(task: Task, template: string): Task {
  return task.kind === 'Pipe' ? task : { ...task, spec: { ...task.spec, resources: [template] } };
}

/** The line of the first problem of a text that is no YAML; 0 when there is none. */
function wrongLine(text: string): number {
  let at = 0;
  for (const piece of splitDocuments(text)) {
    at = text.indexOf(piece, at);
    const { result } = readPiece(piece);
    if (!result.ok) return text.slice(0, at).split('\n').length - 1 + (result.problems[0]?.line ?? 1);
    at += piece.length;
  }
  return 0;
}

/** The values that a KudoOperator task gives the Instance that it makes. */
function renderParameterFile(input: RenderInput, template: string, mask: (text: string) => string) {
  const { operatorVersion, instance, parameters, environment } = input;
  try {
    const variables = baseVariables(instance, operatorVersion, parameters);
    const yaml = mask(renderText(operatorVersion, template, variables, environment));
    return { ...NOTHING, template, objects: [{ kind: 'Parameters', name: template, yaml }] };
  } catch (error) {
    return { ...NOTHING, template, problem: problemOfTemplate(error) };
  }
}

/** @throws what is no error of a rendering */
function problemOfTemplate(error: unknown): RenderProblem {
  if (!(error instanceof TerminalError)) throw error;
  const { cause } = error;
  if (!(cause instanceof TemplateError)) return { line: 0, message: messageOf(error) };
  return { line: cause.place.line, message: cause.goMessage };
}

const SHORTEST_SECRET = 4;

function maskOf(version: OperatorVersion, { parameters }: RenderWish): (text: string) => string {
  const secrets = secretParameters(version);
  const values = Object.entries(parameters).flatMap(([name, value]) =>
    secrets.has(name) && value.length >= SHORTEST_SECRET ? [value, base64(value)] : [],
  );
  return (text) => values.reduce((masked, value) => masked.replaceAll(value, SECRET_MARK), text);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
