import { nameOf } from '@/lib/kube/object';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion } from '@/lib/kudo/types';
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

/** How a backup is restored: a plan, and its parameter that names the backup. */
export interface RestorePlan {
  readonly plan: string;
  readonly parameter: string;
}

/** Part of the name of a parameter that names a backup: `RESTORE_FROM`, `backupName`. */
const NAMES_A_BACKUP = /(?:^|[-_])from|backup|snapshot/i;

/**
 * The plan `restore`, else the first one whose name begins so, that asks for the name of a backup; undefined when no plan does. Of a
 * plan `restore` with a single parameter it is that one.
 */
export function restorePlanOf(version: OperatorVersion | undefined): RestorePlan | undefined {
  const names = Object.keys(version?.spec?.plans ?? {}).filter((name) => name.startsWith('restore'));
  const ranked = [...names].sort((a, b) => Number(b === 'restore') - Number(a === 'restore'));
  for (const plan of ranked) {
    const { parameters = [] } = planMetadataOf(version, plan);
    const only = plan === 'restore' && parameters.length === 1 ? parameters[0] : undefined;
    const parameter = parameters.find((name) => NAMES_A_BACKUP.test(name)) ?? only;
    if (parameter !== undefined) return { plan, parameter };
  }
  return undefined;
}
