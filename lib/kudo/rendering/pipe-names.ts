import { pipeObjectName } from '@/lib/kudo/names';
import { tasksOf } from '@/lib/kudo/plan/status';
import type { Plan, Task } from '@/lib/kudo/types';
import { RenderError } from './render-error';

/**
 * `.Pipes`: key → name of the artifact, for the Pipe tasks of one plan, run or not.
 * @throws RenderError `InvalidPlan` when a key occurs twice (KUDO left such a plan PENDING for ever, T-02)
 */
export function pipeNames(
  instance: string,
  planName: string,
  plan: Plan,
  tasks: readonly Task[],
): { [key: string]: string } {
  const names: { [key: string]: string } = Object.create(null);
  for (const { phase, step, task } of tasksOf(plan, tasks)) {
    if (task.kind !== 'Pipe') continue;
    const place = { instance, plan: planName, phase, step, task: task.name };
    for (const { key = '' } of task.spec?.pipe ?? []) {
      if (Object.hasOwn(names, key)) {
        throw new RenderError(`plan ${planName} has the pipe key "${key}" twice; keys must differ`, 'InvalidPlan');
      }
      names[key] = pipeObjectName(place, key);
    }
  }
  return names;
}
