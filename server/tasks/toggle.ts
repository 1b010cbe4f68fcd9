import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import type { Task } from '@/lib/kudo/types';
import { runApply } from './apply';
import type { TaskContext } from './context';
import { runDelete } from './delete';

/** Toggle: Apply when the parameter is true, Delete when it is false. */
export async function runToggle(task: Task, context: TaskContext): Promise<TaskOutcome> {
  const name = task.spec?.parameter ?? '';
  const fatal = (message: string): TaskOutcome => ({ state: 'fatal', reason: 'ToggleTaskError', message });
  if (!Object.hasOwn(context.parameters, name)) return fatal(`no parameter named ${name} is defined`);
  const value = context.parameters[name];
  if (typeof value !== 'string') return fatal(`the parameter ${name} is not a string`);
  const isOn = parseGoBoolean(value);
  if (isOn === undefined) return fatal(`the parameter ${name} is "${value}", which is neither true nor false`);
  return isOn ? runApply(task, context) : runDelete(task, context);
}
