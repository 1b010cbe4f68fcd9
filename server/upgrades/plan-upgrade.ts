import { TerminalError } from '@/lib/errors/errors';
import { DEFAULT_CHANNEL } from '@/lib/kudo/repository/lifecycle';
import type { OperatorVersion } from '@/lib/kudo/types';
import { findUpgradePath, type Release, type UpgradePath } from '@/lib/kudo/upgrades/find-path';
import { type GivenValues, givenFor } from '@/lib/kudo/upgrades/given-values';
import { parameterRows } from '@/lib/kudo/upgrades/parameter-rows';
import { planDifferences } from '@/lib/kudo/upgrades/plan-differences';
import type { UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { wishedRelease } from '@/lib/kudo/upgrades/wished-release';
import { type InstanceKey, readInstance } from '@/server/instances/read-instance';
import { checkUpgrade } from './check-upgrade';
import { planSteps } from './plan-steps';
import { stepVersions } from './step-versions';
import type { PlanContext } from './upgrade-context';
import { upgradeObjects } from './upgrade-objects';

/** What an upgrade is to reach, and with which values. */
export interface UpgradeWish {
  /** A version as {@link wishedRelease} reads it; the newest one of the channel when absent. */
  readonly to?: string | undefined;
  /** `stable` when absent. */
  readonly channel?: string | undefined;
  readonly parameters?: GivenValues;
}

/**
 * What an upgrade of an Instance would do, and whether it can start. Everything is read with the rights of the person, and nothing is
 * written but dry runs.
 *
 * @throws TerminalError `NotFound` without the Instance, its OperatorVersion, or the version asked for
 */
export async function planUpgrade(context: PlanContext, key: InstanceKey, wish: UpgradeWish): Promise<UpgradePlan> {
  const { instance, operatorVersion: current } = await readInstance(context.api, key);
  if (current === undefined) {
    const name = instance.spec?.operatorVersion?.name ?? '';
    throw new TerminalError(`OperatorVersion ${name} of instance ${key.name} does not exist.`, 'NotFound');
  }
  const operator = current.spec?.operator?.name ?? '';
  const releases = await context.source.releases(operator);
  const path = pathFor(current, releases, wish);
  const steps = await stepVersions({ ...context, namespace: key.namespace, operator }, path.steps);
  const target = steps.at(-1)?.operatorVersion;
  const { parameters = {} } = wish;
  const given = target === undefined ? {} : givenFor(target, parameters);
  const own = releases.find((each) => isOf(each, current));
  const planned = planSteps(instance, current, steps, parameters);
  const base = {
    namespace: key.namespace,
    instance: key.name,
    operator,
    installed: named(operator, versionsOf(current)),
    target: path.target === undefined ? undefined : named(operator, path.target),
    steps: planned,
    advisories: own?.advisories ?? [],
    withdrawn: own?.withdrawn?.reason,
    parameters: target === undefined ? [] : parameterRows(instance, current, target, given),
    plans: target === undefined ? [] : planDifferences(current, target),
  };
  const change =
    target === undefined ? undefined : { instance, current, target, parameters: given, plan: planned.at(-1)?.plan };
  const objects = await upgradeObjects(context, change);
  const upgrade = { instance, current, path, steps: planned, versions: steps, parameters };
  const checks = await checkUpgrade(context, upgrade, objects);
  const { changes, unchanged, leftOver, restarts } = objects;
  return { ...base, objects: changes, unchanged, leftOver, restarts, checks };
}

/** @throws TerminalError `NotFound` without the version asked for */
export function pathFor<R extends Release>(
  current: OperatorVersion,
  releases: readonly R[],
  { to, channel = DEFAULT_CHANNEL }: UpgradeWish,
): UpgradePath<R> {
  const operator = current.spec?.operator?.name ?? '';
  const installed = versionsOf(current);
  if (to === undefined || to === '') return findUpgradePath(installed, { channel, releases });
  const target = wishedRelease(releases, operator, to);
  if (target === undefined) throw new TerminalError(`no version ${to} of operator ${operator} was found`, 'NotFound');
  return findUpgradePath(installed, { target, releases });
}

function named(operator: string, { operatorVersion, appVersion }: Release): UpgradePlan['installed'] {
  const key = appVersion === '' ? operatorVersion : `${appVersion}-${operatorVersion}`;
  return { name: `${operator}-${key}`, operatorVersion, appVersion };
}

/** The two versions of an OperatorVersion. */
export function versionsOf({ spec }: OperatorVersion): { operatorVersion: string; appVersion: string } {
  return { operatorVersion: spec?.version ?? '', appVersion: spec?.appVersion ?? '' };
}

function isOf(release: Release, version: OperatorVersion): boolean {
  const { operatorVersion, appVersion } = versionsOf(version);
  return release.operatorVersion === operatorVersion && release.appVersion === appVersion;
}
