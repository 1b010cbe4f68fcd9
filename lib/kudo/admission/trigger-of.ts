import { DEPLOY_PLAN, hasPlan, UPDATE_PLAN, UPGRADE_PLAN } from '@/lib/kudo/names';
import { findParameter, parametersOf } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion } from '@/lib/kudo/types';

/** What a set of edited parameters starts. */
export type Trigger =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'plan';
      readonly plan: string;
      /** Parameters that ask for this plan (those without a trigger ask for `update`, else `deploy`). */
      readonly because: readonly string[];
      /** Changed parameters without a trigger of their own: another one decided (T-21). */
      readonly unheard: readonly string[];
      /** Plans that other changed parameters trigger, in the order in which they run after it. */
      readonly after: readonly string[];
    }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * The plan that a change of these parameters starts (KUDO triggeredPlan, which refuses a change that triggers more than one). Several plans
 * run in the order in which the OperatorVersion lists the parameters that trigger them. Names without a definition in it ask for nothing.
 */
export function triggerOf(operatorVersion: OperatorVersion, names: Iterable<string>): Trigger {
  const byPlan = new Map<string, string[]>();
  const silent: string[] = [];
  const changed = new Set(names);
  for (const { name } of parametersOf(operatorVersion)) {
    const definition = changed.has(name) ? findParameter(operatorVersion, name) : undefined;
    if (definition === undefined) continue;
    const plan = definition.trigger ?? '';
    if (plan === '') silent.push(name);
    else byPlan.set(plan, [...(byPlan.get(plan) ?? []), name]);
  }
  for (const [plan, because] of byPlan) {
    if (!hasPlan(operatorVersion, plan)) {
      return refused(`parameter "${because.join('", "')}" triggers plan "${plan}", which does not exist`);
    }
  }
  const [first, ...others] = byPlan;
  if (first !== undefined) {
    return { kind: 'plan', plan: first[0], because: first[1], unheard: silent, after: others.map(([plan]) => plan) };
  }
  return silent.length === 0 ? { kind: 'none' } : fallback(operatorVersion, silent);
}

function fallback(operatorVersion: OperatorVersion, because: string[]): Trigger {
  const plan = [UPDATE_PLAN, DEPLOY_PLAN].find((candidate) => hasPlan(operatorVersion, candidate));
  if (plan === undefined) {
    return refused(
      `no plan takes the change of "${because.join('", "')}": there is neither an "update" nor a "deploy" plan`,
    );
  }
  return { kind: 'plan', plan, because, unheard: [], after: [] };
}

function refused(message: string): Trigger {
  return { kind: 'refused', message };
}

/** The plan that a new OperatorVersion starts: the first of upgrade, update, deploy that it has. */
export function upgradePlanOf(operatorVersion: OperatorVersion): string | undefined {
  return [UPGRADE_PLAN, UPDATE_PLAN, DEPLOY_PLAN].find((plan) => hasPlan(operatorVersion, plan));
}
