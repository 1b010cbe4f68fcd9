import type { Command } from 'commander';
import type { RunWishes } from '@/lib/kudo/runs/run-request';

export interface BreakLockFlags {
  readonly breakLock?: string;
}

/** `--break-lock`, of each verb that can start a plan. */
export function withBreakLockFlag(command: Command): Command {
  return command.option('--break-lock <reason>', 'start the plan although the instance is locked, and say why');
}

/** What the flags of a verb say about the run that starts. */
export function wishesOf({ reason, breakLock }: BreakLockFlags & { readonly reason?: string }): RunWishes {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(breakLock === undefined ? {} : { breakLock }),
  };
}
