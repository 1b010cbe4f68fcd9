import type { PipeSpec, Task } from '@/lib/kudo/types';

const PIPE_KEY = /^[a-zA-Z0-9_-]+$/;

/**
 * What makes a task unusable before anything is rendered, or undefined (KUDO pkg/engine/task/task.go):
 * the cause of a fatal `TaskBuildError`.
 */
export function taskBuildProblem(task: Task): string | undefined {
  const spec = task.spec ?? {};
  const resources = spec.resources ?? [];
  switch (task.kind) {
    case 'Apply':
    case 'Delete':
      return resources.length === 0 ? 'task validation error: resources must not be empty' : undefined;
    case 'Toggle':
      if (resources.length === 0) return 'task validation error: resources must not be empty';
      return isEmpty(spec.parameter) ? 'task validation error: parameter must not be empty' : undefined;
    case 'Pipe':
      return pipeProblem(spec.pipe ?? []);
    case 'KudoOperator':
      if (isEmpty(spec.package)) return 'task validation error: package must not be empty';
      return isEmpty(spec.operatorVersion) ? 'task validation error: operatorVersion must not be empty' : undefined;
    case 'Dummy':
      return undefined;
    default:
      return `unknown task kind ${task.kind}`;
  }
}

function pipeProblem(pipe: readonly PipeSpec[]): string | undefined {
  if (pipe.length === 0) return 'task validation error: pipe must not be empty';
  for (const entry of pipe) {
    if (isEmpty(entry.file) === isEmpty(entry.envFile)) {
      return 'task validation error: a pipe entry needs either file or envFile';
    }
    if (entry.kind !== 'Secret' && entry.kind !== 'ConfigMap') {
      return `task validation error: invalid pipe kind (must be Secret or ConfigMap): ${entry.kind ?? ''}`;
    }
    if (!PIPE_KEY.test(entry.key ?? '')) {
      return `task validation error: invalid pipe key (only letters, digits, _ and -): ${entry.key ?? ''}`;
    }
  }
  return undefined;
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === '';
}
