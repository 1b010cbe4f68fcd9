import { TerminalError, TransientError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, PIPE_POD_SUFFIX, pipeObjectName, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import { enhance } from '@/lib/kudo/rendering/enhance';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { PipeSpec, Task } from '@/lib/kudo/types';
import type { Target } from '@/server/kube/api';
import { failuresOf, outcomeOf } from './apply';
import { applyTaskObject } from './apply-object';
import type { TaskContext } from './context';
import { pipeArtifact } from './pipe-artifact';
import { pipePod, WAITER } from './pipe-pod';
import { renderOnce } from './render-objects';
import { isPodSecurityRefusal, restrictedPod } from './restricted-pod';
import { firstFileOfTar } from './tar-file';

/** The largest file of a pipe, inclusive. */
const MAX_FILE_BYTES = 1_048_576;
/** Room for tar's headers and padding. */
const TAR_EXTRA_BYTES = 64 * 1024;

/**
 * Pipe: runs a pod that writes files, copies each file into a Secret or ConfigMap, and deletes the pod.
 *
 * Sub-steps, each found again in the cluster after a crash: pod created → pod ready → files copied and artifacts written under
 * this run's uid → pod deleted. When artifacts of this uid exist, only the pod is left to delete (KUDO created the pod again
 * and again beside a slow task, T-12). A pod of another run holds stale files and is deleted first.
 */
export async function runPipe(task: Task, context: TaskContext): Promise<TaskOutcome> {
  const pipe = task.spec?.pipe ?? [];
  const podTarget = targetOf(context, 'pods', pipeName(task, context, PIPE_POD_SUFFIX));
  if (await hasArtifacts(task, pipe, context)) {
    const left = await context.api.get(podTarget);
    if (left !== undefined) await removePod(podTarget, left, context);
    return { state: 'done' };
  }
  const { objects } = await renderOnce(task, context);
  const [template, ...others] = objects;
  if (template === undefined || others.length > 0) {
    throw new RenderError(
      `the template of a pipe gives ${objects.length} objects instead of one Pod`,
      'ResourceUnmarshalError',
    );
  }
  const existing = await context.api.get(podTarget);
  const stale = await staleness(podTarget, existing, context);
  if (stale !== undefined) return { state: 'waiting', messages: [stale] };
  const pod =
    existing ?? (await createPod(pipePod(template, podTarget.name ?? '', pipe, context.pipePods.image), context));
  const readiness = outcomeOf([pod], context, { failures: await failuresOf([pod], context) });
  if (readiness.state === 'waiting') return withTimeout(readiness, context.pipePods.timeoutMs);
  if (readiness.state === 'fatal') return { state: 'failed', message: readiness.message };
  if (readiness.state !== 'done') return readiness;
  const contents = await Promise.all(
    pipe.map((entry) => copyFile(entry.file || entry.envFile || '', podTarget, context)),
  );
  for (const [index, entry] of pipe.entries()) {
    const artifact = pipeArtifact(entry, pipeName(task, context, entry.key ?? ''), contents[index] ?? new Uint8Array());
    await applyTaskObject(marked(artifact, context), context, { renewMarks: true });
  }
  await removePod(podTarget, pod, context);
  return { state: 'done' };
}

/** Deletes this pod by uid: a delayed request must not delete the pod of another run (docs/faults.md C08). */
async function removePod(target: Target, pod: KubeObject, { api }: TaskContext): Promise<void> {
  await api.delete(target, { propagation: 'Foreground', uid: pod.metadata.uid });
}

/** A pod that never writes its files ends the plan (KUDO waited for ever, T-26). */
function withTimeout(waiting: Extract<TaskOutcome, { state: 'waiting' }>, timeoutMs: number): TaskOutcome {
  if (timeoutMs === 0) return waiting;
  const message = `the pod of the pipe did not write its files in time (BRAVO_PIPE_TIMEOUT): ${waiting.messages.join('; ')}`;
  return { ...waiting, patience: { ms: timeoutMs, reason: 'PipeTaskError', message } };
}

function pipeName(task: Task, context: TaskContext, suffix: string): string {
  const { plan, phase, step } = context;
  return pipeObjectName({ instance: nameOf(context.instance), plan, phase, step, task: task.name }, suffix);
}

function targetOf(context: TaskContext, resource: string, name: string): Target {
  return { group: '', version: 'v1', resource, namespace: namespaceOf(context.instance), name };
}

function marked(artifact: KubeObject, context: TaskContext): KubeObject {
  const { operatorVersion, instance, plan, phase, step, uid } = context;
  return enhance(artifact, { operatorVersion, instance, plan, phase, step, uid }, () => 'namespaced');
}

async function hasArtifacts(task: Task, pipe: readonly PipeSpec[], context: TaskContext): Promise<boolean> {
  const found = await Promise.all(
    pipe.map((entry) =>
      context.api.get(
        targetOf(context, entry.kind === 'Secret' ? 'secrets' : 'configmaps', pipeName(task, context, entry.key ?? '')),
      ),
    ),
  );
  return found.every((object) => {
    const annotations = object?.metadata.annotations ?? {};
    return annotations[EXECUTION_UID_ANNOTATION] === context.uid && annotations[STEP_ANNOTATION] === context.step;
  });
}

/** The pod as KUDO makes it, or, where the Pod Security level of the namespace refuses that, with what the level asks for. */
async function createPod(pod: KubeObject, context: TaskContext): Promise<KubeObject> {
  try {
    return await applyTaskObject(pod, context);
  } catch (error) {
    if (!isPodSecurityRefusal(error)) throw error;
    return applyTaskObject(restrictedPod(pod), context);
  }
}

/** What the task waits for before it can create this run's pod: an older pod of the same name that is being deleted. */
async function staleness(
  target: Target,
  live: KubeObject | undefined,
  context: TaskContext,
): Promise<string | undefined> {
  if (live === undefined) return undefined;
  const isOurs = live.metadata.annotations?.[EXECUTION_UID_ANNOTATION] === context.uid;
  const isLeaving = (live.metadata.deletionTimestamp ?? '') !== '';
  if (isOurs && !isLeaving) return undefined;
  if (!isLeaving) await removePod(target, live, context);
  return `Pod ${nameOf(live)}: an older one is being deleted`;
}

async function copyFile(file: string, target: Target, context: TaskContext): Promise<Uint8Array> {
  const run = (command: readonly string[], maxBytes: number) =>
    context.api.exec(target, { container: WAITER, command, maxBytes });
  try {
    const size = Number.parseInt(
      Buffer.from(await run(['stat', '-c', '%s', file], 4096))
        .toString('utf8')
        .trim(),
      10,
    );
    if (!Number.isSafeInteger(size)) throw new TransientError(`the size of ${file} cannot be read`, 'PipeTaskError');
    if (size > MAX_FILE_BYTES) {
      throw new TerminalError(
        `the file ${file} has ${size} bytes; at most ${MAX_FILE_BYTES} are allowed`,
        'PipeTaskError',
      );
    }
    return firstFileOfTar(await run(['tar', 'cf', '-', file], MAX_FILE_BYTES + TAR_EXTRA_BYTES));
  } catch (error) {
    // A broken connection is retried (KUDO ended the plan, T-26); a command that failed is not.
    if (error instanceof TerminalError)
      throw new TerminalError(`copying ${file} failed: ${error.message}`, 'PipeTaskError');
    throw error;
  }
}
