import type { Instance, OperatorVersion } from './types';

/** The version of KUDO whose packages Bravo reads. */
export const KUDO_VERSION = '0.19.0';

/** Labels, annotations and the finalizer that KUDO writes (KUDO pkg/util/kudo/labels.go), and ours beside them. */
export const HERITAGE_LABEL = 'heritage';
export const HERITAGE_VALUE = 'kudo';
export const OPERATOR_LABEL = 'kudo.dev/operator';
export const INSTANCE_LABEL = 'kudo.dev/instance';
export const PLAN_ANNOTATION = 'kudo.dev/plan';
export const PHASE_ANNOTATION = 'kudo.dev/phase';
export const STEP_ANNOTATION = 'kudo.dev/step';
export const EXECUTION_UID_ANNOTATION = 'kudo.dev/last-plan-execution-uid';
/** On an Event: the reconcile that recorded it, the field `reconcileID` of its log lines. */
export const RECONCILE_ID_ANNOTATION = 'bravo.kudo.dev/reconcile-id';
export const OPERATOR_VERSION_ANNOTATION = 'kudo.dev/operator-version';
export const DEPENDENCIES_HASH_ANNOTATION = 'kudo.dev/dependencies-hash';
export const SKIP_HASH_ANNOTATION = 'kudo.dev/skip-hash-calculation';
export const LAST_APPLIED_ANNOTATION = 'kudo.dev/last-applied-configuration';
export const PIPE_POD_ANNOTATION = 'kudo.dev/pipepod';
export const CLEANUP_FINALIZER = 'kudo.dev.instance.cleanup';
export const PARAMETER_SCHEMA_ANNOTATION = 'bravo.kudo.dev/parameter-schema';
export const SELF_HEAL_ANNOTATION = 'bravo.kudo.dev/self-heal';
export const PLAN_METADATA_ANNOTATION = 'bravo.kudo.dev/plan-metadata';
/** On an Instance, `PLAN/INSTANCE`: this plan may be started once although it is destructive. */
export const CONFIRM_ANNOTATION = 'bravo.kudo.dev/confirm';
/** `"true"` on an object of a template: the Instance does not own it, so it stays when the Instance is deleted. */
export const KEEP_ANNOTATION = 'bravo.kudo.dev/keep';

/** `"true"` on a StatefulSet of a template: a larger size in `volumeClaimTemplates` grows the volumes of its pods. */
export const GROW_VOLUMES_ANNOTATION = 'bravo.kudo.dev/grow-volumes';

/** Plans with a meaning of their own. */
export const DEPLOY_PLAN = 'deploy';
export const UPDATE_PLAN = 'update';
export const UPGRADE_PLAN = 'upgrade';
export const CLEANUP_PLAN = 'cleanup';

/** A label value is at most this long, and the Instance's name is one on everything it owns (T-29). */
export const MAX_INSTANCE_NAME = 63;

/** `operator-appVersion-version`, or `operator-version` without an appVersion (KUDO OperatorVersionName). */
export function operatorVersionName(operator: string, version: string, appVersion?: string): string {
  return appVersion === undefined || appVersion === ''
    ? `${operator}-${version}`
    : `${operator}-${appVersion}-${version}`;
}

/** The file name of a packed package: `name-appVersion_version.tgz` (note the underscore). */
export function packageFileName(operator: string, version: string, appVersion?: string): string {
  const versions = appVersion === undefined || appVersion === '' ? version : `${appVersion}_${version}`;
  return `${operator}-${versions}.tgz`;
}

/** The name that an install without `--instance` gives. */
export function defaultInstanceName(operator: string): string {
  return `${operator}-instance`;
}

/** The name of the Instance that a KudoOperator task makes when it names none. */
export function childInstanceName(parent: string, operator: string): string {
  return `${parent}-${operator}`;
}

/** Where the OperatorVersion of an Instance is: in the reference's namespace, else in the Instance's. */
export function operatorVersionKey(instance: Pick<Instance, 'metadata' | 'spec'>): { namespace: string; name: string } {
  const reference = instance.spec?.operatorVersion;
  const namespace = reference?.namespace ?? '';
  return { namespace: namespace === '' ? (instance.metadata.namespace ?? '') : namespace, name: reference?.name ?? '' };
}

/** True when the OperatorVersion has a plan of that name. */
export function hasPlan(operatorVersion: OperatorVersion | undefined, plan: string): boolean {
  const plans = operatorVersion?.spec?.plans;
  return plans !== null && plans !== undefined && Object.hasOwn(plans, plan);
}

/** Names of all plans, sorted. */
export function planNames(operatorVersion: OperatorVersion | undefined): string[] {
  return Object.keys(operatorVersion?.spec?.plans ?? {}).sort();
}

/** Where in a plan a Pipe task stands; its pod and artifacts are named after it. */
export interface PipePlace {
  instance: string;
  plan: string;
  phase: string;
  step: string;
  task: string;
}

/** Suffix of the name of a pipe's pod. */
export const PIPE_POD_SUFFIX = 'pipepod';

/**
 * The name of a pipe's pod or artifact: the parts in lower case, without anything but letters and digits, joined by dots;
 * the suffix is `pipepod` or the artifact's key (KUDO pkg/engine/task/task_pipe.go).
 */
export function pipeObjectName(place: PipePlace, suffix: string): string {
  const parts = [place.instance, place.plan, place.phase, place.step, place.task, suffix];
  return parts.map((part) => part.toLowerCase().replace(/[^a-z0-9]/g, '')).join('.');
}

const PLAN_TITLES = new Map([
  ['deploy', 'Deploy'],
  ['update', 'Update'],
  ['upgrade', 'Upgrade'],
  ['cleanup', 'Clean up'],
  ['backup', 'Back up'],
  ['restore', 'Restore'],
]);

/** What a button that runs the plan says: `backup` → “Back up”, any other plan its own name in words. */
export function planTitle(plan: string): string {
  const known = PLAN_TITLES.get(plan);
  if (known !== undefined) return known;
  const words = plan.replace(/[-_.]+/g, ' ').trim();
  return words === '' ? plan : words.charAt(0).toUpperCase() + words.slice(1);
}
