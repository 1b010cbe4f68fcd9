import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { plan, task } from './templates';

/** A task that is never done, one that is done at once, and one that fails each time and is retried. */
export const never = task('never', 'Dummy');
export const done = task('done', 'Dummy', { done: true });
export const errs = task('errs', 'Dummy', { wantErr: true });

/** `deploy` with these tasks; the parameter `A` starts it, `B` starts `backup`. */
export const withBackup = (...tasks: OperatorVersionSpec['tasks'] & object): OperatorVersionSpec => ({
  tasks: [...tasks, done],
  parameters: [
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'B', default: 'b', trigger: 'backup' },
  ],
  plans: { deploy: plan(['run', ...tasks.map(({ name }) => name)]), backup: plan(['save', 'done']) },
});
