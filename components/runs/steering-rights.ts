import type { RunRow } from '@/lib/kudo/view/run-row';

/** Why a run that was cancelled cannot be steered any more; undefined for one that was not. */
export function cancelBlock({ run }: RunRow): string | undefined {
  return run.spec?.cancelled === true ? 'The run was cancelled. It ends when its current task has ended.' : undefined;
}
