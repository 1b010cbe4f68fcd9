import { nameOf } from '@/lib/kube/object';
import type { PlanRun } from './plan-run';

/** A backup of an Instance, as a Job of a run said. */
export interface Backup {
  readonly name: string;
  /** Bytes. */
  readonly size: number | undefined;
  /** RFC 3339; the end of the run when the Job gave no time. */
  readonly createdAt: string;
  readonly target: string | undefined;
  /** True when a run has read it back; what a run said last counts. */
  readonly isVerified: boolean;
  /** The PlanRun that made it. */
  readonly run: string;
}

/** The backups of an Instance from its runs, newest first, without those that a later run has deleted. */
export function backupsOf(runs: readonly PlanRun[]): Backup[] {
  const backups = new Map<string, Backup>();
  for (const run of [...runs].sort((a, b) => endOf(a).localeCompare(endOf(b)))) {
    for (const { type, name = '', size, createdAt, target, verified } of run.status?.outputs ?? []) {
      if (type === 'backup-deleted') backups.delete(name);
      if (type !== 'backup') continue;
      const known = backups.get(name);
      backups.set(name, {
        name,
        size: size ?? known?.size,
        createdAt: createdAt ?? known?.createdAt ?? endOf(run),
        target: target ?? known?.target,
        isVerified: verified ?? known?.isVerified ?? false,
        run: known?.run ?? nameOf(run),
      });
    }
  }
  return [...backups.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

function endOf({ status, metadata }: PlanRun): string {
  return status?.finishedAt ?? status?.startedAt ?? metadata.creationTimestamp ?? '';
}
