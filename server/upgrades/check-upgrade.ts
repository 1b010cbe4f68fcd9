import { BravoError, messageOf } from '@/lib/errors/errors';
import { OPERATORS } from '@/lib/kudo/crds/crds';
import { scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import { backupsOf } from '@/lib/kudo/runs/backups';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance, Operator, OperatorVersion } from '@/lib/kudo/types';
import { advisoryWords } from '@/lib/kudo/upgrades/advisory-words';
import type { UpgradePath } from '@/lib/kudo/upgrades/find-path';
import { type GivenValues, givenFor, unknownValues } from '@/lib/kudo/upgrades/given-values';
import { movedInstance } from '@/lib/kudo/upgrades/moved-instance';
import { problemsOf } from '@/lib/kudo/upgrades/parameter-rows';
import type { UpgradeCheck, UpgradeCheckName, UpgradeStep } from '@/lib/kudo/upgrades/upgrade-plan';
import type { Api } from '@/server/kube/api';
import { kubernetesProblem } from '@/server/packages/install';
import { previewChange } from '@/server/preconditions/preview-change';
import type { StepVersion } from './step-versions';
import type { PlanContext } from './upgrade-context';
import type { UpgradeObjects } from './upgrade-objects';

/** An upgrade whose path and steps are known. */
export interface PlannedUpgrade {
  readonly instance: Instance;
  readonly current: OperatorVersion;
  readonly path: UpgradePath;
  /** With the plans that they start. */
  readonly steps: readonly UpgradeStep[];
  readonly versions: readonly StepVersion[];
  readonly parameters: GivenValues;
}

type State = UpgradeCheck['state'];
const check = (name: UpgradeCheckName, state: State, message: string): UpgradeCheck => ({
  check: name,
  state,
  message,
});
/** One entry for each message; a single `ok` without any. */
const each = (name: UpgradeCheckName, state: State, messages: readonly string[]): UpgradeCheck[] =>
  messages.length === 0
    ? [check(name, 'ok', '')]
    : [...new Set(messages)].map((message) => check(name, state, message));

/** Looks at everything that could stop an upgrade, before it starts. */
export async function checkUpgrade(
  { api, clock }: PlanContext,
  upgrade: PlannedUpgrade,
  objects: UpgradeObjects,
): Promise<UpgradeCheck[]> {
  const path = checkPath(upgrade);
  if (upgrade.versions.length === 0) return path;
  const definitions = objects.changes.filter(({ kind }) => kind === 'CustomResourceDefinition');
  return [
    ...path,
    ...each('advisories', 'warning', (upgrade.path.steps.at(-1)?.advisories ?? []).map(advisoryWords)),
    ...(await checkKubernetes(api, upgrade)),
    ...each('apis', 'warning', objects.warnings),
    ...each('parameters', 'blocked', wrongValues(upgrade)),
    ...(await checkStart(api, upgrade, clock.now())),
    ...each('running', 'warning', runningPlan(upgrade.instance)),
    ...each(
      'definitions',
      'warning',
      definitions.map(({ name, change }) => `CustomResourceDefinition ${name}: ${change}.`),
    ),
    ...checkObjects(objects),
    ...(await checkBackups(api, upgrade)),
  ];
}

function checkPath({ path }: PlannedUpgrade): UpgradeCheck[] {
  const { problem, steps } = path;
  if (problem === undefined) return [check('path', 'ok', '')];
  return [check('path', steps.length === 0 ? 'blocked' : 'warning', problem)];
}

async function checkKubernetes(api: Api, { versions, current }: PlannedUpgrade): Promise<UpgradeCheck[]> {
  const problems: string[] = [];
  for (const { operator, operatorVersion } of versions) {
    const place = { namespace: current.metadata.namespace ?? '', name: operatorVersion.spec?.operator?.name ?? '' };
    const own = operator ?? ((await api.get({ ...OPERATORS, ...place })) as Operator | undefined);
    const problem = await kubernetesProblem(api, own?.spec?.kubernetesVersion);
    if (problem !== undefined) problems.push(`${operatorVersion.metadata.name ?? ''}: ${problem}`);
  }
  return each('kubernetes', 'blocked', problems);
}

/** Values that a version on the way does not accept. */
function wrongValues({ instance, versions, parameters }: PlannedUpgrade): string[] {
  let at = instance;
  const last = versions.at(-1)?.operatorVersion;
  const unknown = last === undefined ? [] : unknownValues(last, parameters);
  const unknownWords = unknown.map((name) => `Parameter ${name} is not defined in ${last?.metadata.name ?? ''}.`);
  const wrong = versions.flatMap(({ operatorVersion }) => {
    at = movedInstance(at, operatorVersion, givenFor(operatorVersion, parameters));
    return problemsOf(operatorVersion, at).map(({ message }) => `${operatorVersion.metadata.name ?? ''}: ${message}`);
  });
  return [...unknownWords, ...wrong];
}

/** The first move as it would be judged now; what comes later is judged when it starts. */
async function checkStart(api: Api, upgrade: PlannedUpgrade, nowMs: number): Promise<UpgradeCheck[]> {
  const { instance, current, versions, steps, parameters } = upgrade;
  const [first] = versions;
  if (first === undefined) return [];
  const { operatorVersion } = first;
  const edit = { operatorVersion, parameters: givenFor(operatorVersion, parameters), nowMs };
  const { outcome, message = '', warnings } = await previewChange(api, instance, current, edit);
  const destructive = steps.filter(({ isDestructive }) => isDestructive);
  const parent = instance.metadata.ownerReferences?.find(({ kind }) => kind === 'Instance');
  if (parent !== undefined) {
    const name = instance.metadata.name ?? '';
    return [check('start', 'blocked', `Instance ${parent.name} owns Instance ${name}, and upgrades it with itself.`)];
  }
  return [
    ...(outcome === 'refused' ? [check('start', 'blocked', message)] : each('start', 'warning', warnings)),
    ...destructive.map(({ plan = '', name }) =>
      check('start', 'warning', `Plan ${plan} of ${name} deletes or replaces data, and has to be confirmed.`),
    ),
  ];
}

function runningPlan(instance: Instance): string[] {
  const running = scheduledPlan(instance);
  return running === undefined ? [] : [`Plan ${running.plan} is in progress; the upgrade starts when it is over.`];
}

function checkObjects({ refused, problems, unchecked }: UpgradeObjects): UpgradeCheck[] {
  const blocked = [...problems, ...refused].map((message) => check('objects', 'blocked', message));
  const unknown = unchecked.map((message) => check('objects', 'unknown', message));
  return blocked.length + unknown.length === 0 ? [check('objects', 'ok', '')] : [...blocked, ...unknown];
}

/** A plan that deletes data needs a backup, where the operator can make one. */
async function checkBackups(api: Api, { instance, current, steps }: PlannedUpgrade): Promise<UpgradeCheck[]> {
  const isDestructive = steps.some((step) => step.isDestructive);
  const plans = Object.keys(current.spec?.plans ?? {});
  const backupPlan = plans.find((plan) => planMetadataOf(current, plan).backups === 'create');
  if (!isDestructive || backupPlan === undefined) return [check('backups', 'ok', '')];
  const { namespace = '', name = '' } = instance.metadata;
  try {
    const runs = (await api.list({ ...PLAN_RUNS, namespace })).items as PlanRun[];
    const backups = backupsOf(runs.filter(({ spec }) => spec?.instanceName === name));
    if (backups.length > 0) return [check('backups', 'ok', '')];
    return [
      check(
        'backups',
        'blocked',
        `The upgrade deletes or replaces data, and there is no backup. Run plan ${backupPlan} first.`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    return [check('backups', 'unknown', `The backups could not be read: ${messageOf(error)}`)];
  }
}
