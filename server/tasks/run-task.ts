import { BravoError, messageOf, TerminalError } from '@/lib/errors/errors';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { Task } from '@/lib/kudo/types';
import { isNamespaceTerminating } from '@/server/kube/errors';
import { runApply } from './apply';
import type { TaskContext } from './context';
import { runDelete } from './delete';
import { runDummy } from './dummy';
import { runKudoOperator } from './kudo-operator';
import { MissingObjectError, missingObjectOutcome } from './live-inputs';
import { MissingKindError, missingKindOutcome } from './missing-kind';
import { ContendedError, contendedOutcome } from './patch-pace';
import { runPipe } from './pipe';
import { refusalOf } from './refusal';
import { runToggle } from './toggle';
import { CANNOT_GROW } from './volumes/grow-claims';
import { CANNOT_SHRINK, ReplacedError, replacedOutcome } from './volumes/replace-for-growth';

/**
 * Runs one task once. The way of a task that applies objects:
 *
 * 1. Its templates are rendered, once per run: a retry uses the same bytes (render-objects, the memory of the run).
 * 2. Definitions of kinds that the task itself uses are applied first, and served before the rest (apply-definitions).
 * 3. Objects are applied in the install order of their kinds, refused ones again after the others (apply-all).
 * 4. Each is created with a record of itself, or patched by a three-way merge of record, rendering and live object (apply-object).
 *    A StatefulSet whose volumes grow is replaced (volumes).
 * 5. The live objects are judged by the health of their kinds: done, or what is waited for, or fatal (apply: outcomeOf).
 *
 * Delete and Pipe begin with 1; Toggle is Apply or Delete; KudoOperator applies a child Instance; Dummy does none of it.
 * An error becomes an outcome as in KUDO: templates and other inputs end the execution, everything that
 * the API server says is tried again (also 403 and 422: a person may fix it), except in a namespace that is being deleted.
 * Anything else that is thrown is a bug, and is not caught.
 */
export async function runTask(task: Task, context: TaskContext): Promise<TaskOutcome> {
  try {
    return await dispatch(task, context);
  } catch (error) {
    return outcomeOfError(error);
  }
}

async function dispatch(task: Task, context: TaskContext): Promise<TaskOutcome> {
  switch (task.kind) {
    case 'Apply':
      return runApply(task, context);
    case 'Delete':
      return runDelete(task, context);
    case 'Toggle':
      return runToggle(task, context);
    case 'Pipe':
      return runPipe(task, context);
    case 'KudoOperator':
      return runKudoOperator(task, context);
    case 'Dummy':
      return runDummy(task);
    default:
      return { state: 'fatal', reason: 'TaskBuildError', message: `unknown task kind ${task.kind}` };
  }
}

/** Reasons of our own refusals that a retry cannot change. */
const FINAL_REASONS: ReadonlySet<string> = new Set([
  'NotConfirmed',
  'NotOwned',
  'PipeTaskError',
  CANNOT_GROW,
  CANNOT_SHRINK,
]);

function outcomeOfError(error: unknown): TaskOutcome {
  if (error instanceof ContendedError) return contendedOutcome(error);
  if (error instanceof ReplacedError) return replacedOutcome(error);
  if (error instanceof MissingKindError) return missingKindOutcome(error);
  if (error instanceof MissingObjectError) return missingObjectOutcome(error);
  if (error instanceof RenderError) return { state: 'fatal', reason: error.reason, message: error.message };
  if (error instanceof TerminalError && FINAL_REASONS.has(error.reason)) {
    return { state: 'fatal', reason: error.reason, message: error.message };
  }
  if (isNamespaceTerminating(error)) {
    return { state: 'fatal', reason: 'NamespaceTerminating', message: messageOf(error) };
  }
  if (!(error instanceof BravoError) || error.reason === 'LeaseLost') throw error;
  const refusal = refusalOf(error);
  return { state: 'failed', message: error.message, ...(refusal === undefined ? {} : { refusal }) };
}
