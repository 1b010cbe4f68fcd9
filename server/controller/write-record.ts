import { BravoError, messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { readSecretTexts } from '@/lib/kudo/drift/secret-texts';
import { secretValues } from '@/lib/kudo/live-values/secret-values';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { instanceOfRun } from '@/lib/kudo/plan/run-inputs';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { tasksOf } from '@/lib/kudo/plan/status';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { failedStepOf } from '@/lib/kudo/runs/failed-step';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import { type Masking, maskObject } from '@/lib/kudo/runs/mask-secrets';
import type { PlanRun, RunPreview } from '@/lib/kudo/runs/plan-run';
import { judgePreview, RENDERED_TASKS, uncompared } from '@/lib/kudo/runs/preview-token';
import type { FailureRecord, RunRecord, TaskRecord, TouchedObject } from '@/lib/kudo/runs/record-format';
import { skippedStepsOf } from '@/lib/kudo/runs/steering';
import type { Instance, PlanStatus, Task } from '@/lib/kudo/types';
import { explainLive } from '@/server/instances/explain-live';
import { existingRecord, type StoredRecord, writeRunRecord } from '@/server/runs/record-secret';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import type { TaskContext } from '@/server/tasks/context';
import { renderOnce } from '@/server/tasks/render-objects';
import type { Touch } from '@/server/tasks/touched-objects';
import { keyOf } from './instance-store';
import type { ReconcilerDeps } from './reconciler-deps';
import { runContextOf } from './run-context';

const LOG_LINES = 200;
const SALT_BYTES = 16;

interface Ended {
  readonly instance: Instance;
  readonly scheduled: Scheduled;
  readonly run: PlanRun;
}

/** What was written, and what of it belongs into the status. */
export interface WrittenRecord {
  readonly stored: StoredRecord | undefined;
  readonly explanation: FailureExplanation | undefined;
  /** Undefined when the run was started without a preview. */
  readonly preview: RunPreview | undefined;
}

/** Writes what is large in the record of a run that has ended. */
export async function writeRecord(deps: ReconcilerDeps, ended: Ended, memory: StoredRunMemory): Promise<WrittenRecord> {
  const { instance, scheduled, run } = ended;
  const begun = instanceOfRun(instance, deps.fingerprints, memory.inputs);
  const known = readSecretTexts(begun, memory.operatorVersion);
  if (known === undefined) {
    // The value may stand in any text; without it nobody can tell.
    deps.log.warn('run.record-not-written', { instance: keyOf(instance), problem: 'a secret value is not known' });
    const preview = uncompared(previewOf(ended));
    return { stored: await existingRecord(deps.api, run, deps.fingerprints), explanation: undefined, preview };
  }
  const texts = new Set([...known, ...secretValues(memory.liveInputs())]);
  const masking = { texts, fingerprints: deps.fingerprints };
  const failure = await failureOf(deps, instance, scheduled, masking);
  const rendered = await renderedTasks(deps, ended, memory);
  const record: RunRecord = {
    tasks: rendered.map((task) => taskRecord(task, memory, masking)),
    ...(failure === undefined ? {} : { failure }),
    salt: Buffer.from(deps.random.bytes(SALT_BYTES)).toString('base64'),
  };
  const isEmpty = record.tasks.length === 0 && failure === undefined;
  // The process that ran it may have written it and died.
  const stored = isEmpty
    ? await existingRecord(deps.api, run, deps.fingerprints)
    : await writeRunRecord(deps.api, run, record, deps.fingerprints);
  return { stored, explanation: failure?.explanation, preview: judged(ended, rendered, texts) };
}

/** The token of the preview with which the run was started; empty without one. */
function previewOf({ instance, scheduled }: Ended): string {
  const record = actedUpon(instance);
  return record?.uid === scheduled.uid ? (record.origin?.preview ?? '') : '';
}

/** Whether it applied what the preview said. */
function judged(ended: Ended, tasks: readonly RenderedTask[], secrets: ReadonlySet<string>): RunPreview | undefined {
  const status = ended.instance.status?.planStatus?.[ended.scheduled.plan]?.status;
  return judgePreview(previewOf(ended), {
    manifests: tasks.flatMap(({ objects, ...place }) => objects.map((object) => ({ ...place, object }))),
    secrets,
    isComplete: status === 'COMPLETE',
  });
}

/** A task that rendered objects. */
interface RenderedTask {
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  readonly objects: readonly KubeObject[];
  /** The task deletes them. */
  readonly isDeleted: boolean;
}

/** The tasks of steps that have begun, each with what it rendered; a restart that lost a rendering makes the same bytes again. */
async function renderedTasks(
  deps: ReconcilerDeps,
  { instance, scheduled }: Ended,
  memory: StoredRunMemory,
): Promise<RenderedTask[]> {
  const { spec } = memory.operatorVersion;
  const status = instance.status?.planStatus?.[scheduled.plan];
  const isSkipped = skippedStepsOf(status);
  const context = contextOf(deps, instance, scheduled, memory);
  const tasks: RenderedTask[] = [];
  for (const { task, phase, step } of tasksOf(spec?.plans?.[scheduled.plan] ?? {}, spec?.tasks ?? [])) {
    const place = { phase, step };
    if (!hasBegun(status, place) || isSkipped(place) || !RENDERED_TASKS.has(task.kind)) continue;
    const objects = context === undefined ? [] : await renderedBy(task, { ...context, ...place });
    if (objects.length === 0) continue;
    tasks.push({ ...place, task: task.name, objects, isDeleted: isDeleting(task, context?.parameters ?? {}) });
  }
  return tasks;
}

function isDeleting({ kind, spec }: Task, parameters: TaskContext['parameters']): boolean {
  const value = kind === 'Toggle' ? parameters[spec?.parameter ?? ''] : undefined;
  return kind === 'Delete' || (typeof value === 'string' && parseGoBoolean(value) === false);
}

function taskRecord(
  { phase, step, task, objects }: RenderedTask,
  memory: StoredRunMemory,
  masking: Masking,
): TaskRecord {
  const touches = memory.touched.at(phase, step);
  const manifests = objects.map((object) => maskObject(object as unknown as JsonObject, object.kind, masking));
  return {
    ...{ phase, step, task },
    objects: objects.map((object) => touchedObject(object, touches, masking)),
    manifests: manifests as unknown as KubeObject[],
  };
}

function hasBegun(status: PlanStatus | undefined, { phase, step }: { phase: string; step: string }): boolean {
  const found = status?.phases?.find(({ name }) => name === phase)?.steps?.find(({ name }) => name === step);
  return found?.status !== undefined && found.status !== 'PENDING' && found.status !== 'NEVER_RUN';
}

/** Undefined for a run whose parameters cannot be read: no task of it has begun. */
function contextOf(deps: ReconcilerDeps, instance: Instance, scheduled: Scheduled, memory: StoredRunMemory) {
  try {
    return runContextOf(deps, instance, scheduled, memory);
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/** Nothing of a task whose templates are wrong: that is why the run failed. */
async function renderedBy(task: Task, context: TaskContext): Promise<readonly KubeObject[]> {
  try {
    return (await renderOnce(task, context, { skipUnknownKinds: true })).objects;
  } catch (error) {
    if (error instanceof BravoError) return [];
    throw error;
  }
}

function touchedObject(object: KubeObject, touches: readonly Touch[], masking: Masking): TouchedObject {
  const { apiVersion, kind, metadata } = object;
  const [name, namespace = ''] = [nameOf(object), metadata.namespace];
  const known = touches.find(
    ({ object: other }) =>
      other.apiVersion === apiVersion && other.kind === kind && other.namespace === namespace && other.name === name,
  );
  return {
    ...{ apiVersion, kind, name },
    ...(namespace === '' ? {} : { namespace }),
    change: known?.change ?? 'applied',
    ...(known?.diff === undefined ? {} : { diff: maskObject(known.diff, kind, masking) }),
  };
}

/** Why it failed, with events and logs, which are kept because the pods go. */
async function failureOf(
  deps: ReconcilerDeps,
  instance: Instance,
  { plan }: Scheduled,
  masking: Masking,
): Promise<FailureRecord | undefined> {
  const status = instance.status?.planStatus?.[plan];
  const failed = status?.status === 'FATAL_ERROR' ? failedStepOf(plan, status) : undefined;
  if (failed === undefined) return undefined;
  try {
    const key = { namespace: namespaceOf(instance), name: nameOf(instance) };
    const { explanation, evidence } = await explainLive(deps.api, key, failed, { masking, logLines: LOG_LINES });
    return {
      explanation,
      events: evidence.events.map(({ at, ...event }) => ({ ...event, time: at })),
      logs: evidence.pods.flatMap(({ name: pod, container, logLines }) =>
        logLines.length === 0 ? [] : [{ pod, container, text: logLines.join('\n') }],
      ),
    };
  } catch (error) {
    deps.log.warn('run.failure-not-recorded', { instance: keyOf(instance), problem: messageOf(error) });
    return undefined;
  }
}
