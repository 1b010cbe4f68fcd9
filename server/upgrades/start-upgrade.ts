import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { secretParameters } from '@/lib/kudo/parameters/parameters';
import {
  OPERATOR_UPGRADE_API_VERSION,
  OPERATOR_UPGRADES,
  type OperatorUpgradeSpec,
} from '@/lib/kudo/upgrades/operator-upgrade';
import { isBlocked, type UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { planUpgrade, type UpgradeWish } from './plan-upgrade';
import { installSteps, stepVersions } from './step-versions';
import type { PlanContext } from './upgrade-context';

/** Instances of one operator that are to be upgraded, and how. */
export interface WaveRequest {
  readonly namespace: string;
  /** In the order of the waves. */
  readonly instances: readonly string[];
  readonly wish: UpgradeWish;
  /** Size and end of waves, window, confirmation, reason. */
  readonly waves: Partial<OperatorUpgradeSpec>;
  /** Of the OperatorUpgrade; it begins with the operator when absent. */
  readonly name?: string | undefined;
}

/** An OperatorUpgrade that was created. */
export interface StartedUpgrade {
  readonly name: string;
  readonly instances: readonly string[];
  /** The name of the last OperatorVersion. */
  readonly target: string;
}

/** The plans of some Instances, in their order. */
export async function planUpgrades(
  context: PlanContext,
  namespace: string,
  names: readonly string[],
  wish: UpgradeWish,
): Promise<UpgradePlan[]> {
  const plans: UpgradePlan[] = [];
  for (const name of names) plans.push(await planUpgrade(context, { namespace, name }, wish));
  return plans;
}

/**
 * Installs the versions of the path with the rights of the person, and creates the OperatorUpgrade, which the controller carries out. What blocks an
 * Instance now may be gone when it is its turn, so that only a missing path is refused.
 *
 * @returns undefined when every Instance has the version already
 * @throws TerminalError `NotUpgradable`, `InvalidArguments` for Instances that cannot be upgraded together
 */
export async function startUpgrade(context: PlanContext, request: WaveRequest): Promise<StartedUpgrade | undefined> {
  const { namespace, wish, waves } = request;
  const all = await planUpgrades(context, namespace, request.instances, wish);
  const plans = all.filter((plan) => plan.steps.length > 0 || isBlocked(plan));
  const [first] = plans;
  if (first === undefined) return undefined;
  checkTogether(plans);
  const path = sharedPath(plans);
  const steps = await stepVersions({ ...context, namespace, operator: first.operator }, path);
  const parameters = textsOf(wish.parameters ?? {});
  const secrets = new Set(steps.flatMap(({ operatorVersion }) => [...secretParameters(operatorVersion)]));
  const secret = Object.keys(parameters).find((name) => secrets.has(name));
  if (secret !== undefined) {
    const why = 'everybody who may read the upgrade could read its value';
    throw new TerminalError(
      `parameter ${secret} is secret, and ${why}: upgrade one by one with bravo upgrade`,
      'InvalidArguments',
    );
  }
  await installSteps(context.api, steps);
  const spec: OperatorUpgradeSpec = {
    operator: first.operator,
    instances: plans.map(({ instance }) => instance),
    path: steps.map(({ operatorVersion }) => nameOf(operatorVersion)),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...waves,
  };
  const metadata =
    request.name === undefined ? { namespace, generateName: `${first.operator}-` } : { namespace, name: request.name };
  const object = { apiVersion: OPERATOR_UPGRADE_API_VERSION, kind: 'OperatorUpgrade', metadata, spec };
  const created = await context.api.create({ ...OPERATOR_UPGRADES, namespace }, object);
  return { name: nameOf(created), instances: spec.instances ?? [], target: spec.path?.at(-1) ?? '' };
}

function checkTogether(plans: readonly UpgradePlan[]): void {
  const operators = [...new Set(plans.map(({ operator }) => operator))];
  if (operators.length > 1) {
    const message = `the instances belong to several operators, ${operators.join(', ')}: choose those of one`;
    throw new TerminalError(message, 'InvalidArguments');
  }
  const stuck = plans.filter(({ steps }) => steps.length === 0);
  if (stuck.length === 0) return;
  const words = stuck.map(
    ({ instance, checks }) => `${instance}: ${checks.find(({ state }) => state === 'blocked')?.message ?? ''}`,
  );
  throw new TerminalError(`these instances cannot be upgraded. ${words.join(' ')}`, 'NotUpgradable');
}

/**
 * The path of all Instances: that of the one that is furthest behind. An Instance begins after the version that it has.
 *
 * @throws TerminalError when the ways differ, so that they need upgrades of their own
 */
export function sharedPath(
  plans: readonly Pick<UpgradePlan, 'instance' | 'installed' | 'steps'>[],
): UpgradePlan['steps'] {
  const [longest = []] = plans.map(({ steps }) => steps).sort((a, b) => b.length - a.length);
  const names = longest.map(({ name }) => name);
  const other = plans.find(({ steps, installed }) => {
    const own = steps.map(({ name }) => name);
    const skipped = names.length - own.length;
    const isEnd = names.slice(skipped).join() === own.join();
    // An Instance that has none of the versions of the path begins at its first one.
    return !isEnd || (skipped > 0 && installed.name !== names[skipped - 1]);
  });
  if (other === undefined) return longest;
  const message = `instance ${other.instance} takes another way to the version than the others: upgrade it by itself`;
  throw new TerminalError(message, 'InvalidArguments');
}

function textsOf(parameters: NonNullable<UpgradeWish['parameters']>): { [name: string]: string } {
  return Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null));
}
