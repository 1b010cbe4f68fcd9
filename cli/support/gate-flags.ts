import type { Command } from 'commander';
import type { RunWishes } from '@/lib/kudo/runs/run-request';

export interface GateFlags {
  readonly breakLock?: string;
  readonly approval?: string;
}

/** `--break-lock` and `--approval`, of each verb that can start a plan. */
export function withGateFlags(command: Command): Command {
  return command
    .option('--break-lock <reason>', 'start the plan although the instance is locked, and say why')
    .option('--approval <name>', 'the approval of a second person that the plan needs');
}

/** What the flags of a verb say about the run that starts. */
export function wishesOf({ reason, breakLock, approval }: GateFlags & { readonly reason?: string }): RunWishes {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(breakLock === undefined ? {} : { breakLock }),
    ...(approval === undefined ? {} : { approval }),
  };
}
