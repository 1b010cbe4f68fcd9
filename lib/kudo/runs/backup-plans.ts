import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion } from '@/lib/kudo/types';

/** A plan that does something with one backup, and its parameter that names the backup. */
export interface BackupPlan {
  readonly plan: string;
  readonly parameter: string;
}

/** Part of the name of a parameter that names a backup: `RESTORE_FROM`, `backupName`. */
const NAMES_A_BACKUP = /(?:^|[-_])from|backup|snapshot/i;

/**
 * The plan that restores a backup: the first one with `backups: restore` that asks for the name of a backup. Without such a one it is the
 * plan `restore`, else the first one whose name begins so, among those that do not say what they do with backups; of a plan `restore`
 * with a single parameter it is that one. Undefined when no plan asks for a backup.
 */
export function restorePlanOf(version: OperatorVersion | undefined): BackupPlan | undefined {
  return declaredPlanOf(version, 'restore') ?? inferredRestoreOf(version);
}

/** The first plan with `backups: delete` that asks for the name of a backup; no other plan is taken for it. */
export function deletePlanOf(version: OperatorVersion | undefined): BackupPlan | undefined {
  return declaredPlanOf(version, 'delete');
}

/**
 * The parameter of a plan that names a backup, of those that it asks for: the first one with `picker: backup`, else the first one whose
 * name says so; undefined without one.
 */
export function backupParameterOf(
  asked: readonly string[],
  hasPicker: (parameter: string) => boolean,
): string | undefined {
  return asked.find(hasPicker) ?? asked.find((name) => NAMES_A_BACKUP.test(name));
}

function declaredPlanOf(version: OperatorVersion | undefined, act: 'restore' | 'delete'): BackupPlan | undefined {
  for (const plan of plansOf(version)) {
    if (planMetadataOf(version, plan).backups !== act) continue;
    const found = withParameter(version, plan);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inferredRestoreOf(version: OperatorVersion | undefined): BackupPlan | undefined {
  const names = plansOf(version).filter(
    (plan) => plan.startsWith('restore') && planMetadataOf(version, plan).backups === undefined,
  );
  const ranked = [...names].sort((a, b) => Number(b === 'restore') - Number(a === 'restore'));
  for (const plan of ranked) {
    const { parameters: [only, ...others] = [] } = planMetadataOf(version, plan);
    const found = withParameter(version, plan);
    if (found !== undefined) return found;
    if (plan === 'restore' && only !== undefined && others.length === 0) return { plan, parameter: only };
  }
  return undefined;
}

function withParameter(version: OperatorVersion | undefined, plan: string): BackupPlan | undefined {
  const { parameters: traits } = parameterSchemaOf(version);
  const { parameters = [] } = planMetadataOf(version, plan);
  const parameter = backupParameterOf(parameters, (name) => traits.get(name)?.picker === 'backup');
  return parameter === undefined ? undefined : { plan, parameter };
}

function plansOf(version: OperatorVersion | undefined): string[] {
  return Object.keys(version?.spec?.plans ?? {});
}
