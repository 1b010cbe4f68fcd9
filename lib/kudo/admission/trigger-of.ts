import { DEPLOY_PLAN, hasPlan, UPDATE_PLAN, UPGRADE_PLAN } from '@/lib/kudo/names';
import { findParameter } from '@/lib/kudo/parameters/parameters';
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
    }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * The plan that a change of these parameters starts (KUDO triggeredPlan). Names without a definition in the
 * OperatorVersion ask for nothing.
 */
export function triggerOf(operatorVersion: OperatorVersion, names: Iterable<string>): Trigger {
  const byPlan = new Map<string, string[]>();
  const silent: string[] = [];
  for (const name of names) {
    const definition = findParameter(operatorVersion, name);
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
  const [first, second] = [...byPlan];
  if (first !== undefined && second !== undefined) return tooMany(byPlan);
  if (first !== undefined) return { kind: 'plan', plan: first[0], because: first[1], unheard: silent };
  return silent.length === 0 ? { kind: 'none' } : fallback(operatorVersion, silent);
}

function fallback(operatorVersion: OperatorVersion, because: string[]): Trigger {
  const plan = [UPDATE_PLAN, DEPLOY_PLAN].find((candidate) => hasPlan(operatorVersion, candidate));
  if (plan === undefined) {
    return refused(
      `no plan takes the change of "${because.join('", "')}": there is neither an "update" nor a "deploy" plan`,
    );
  }
  return { kind: 'plan', plan, because, unheard: [] };
}

function tooMany(byPlan: Map<string, string[]>): Trigger {
  const wishes = [...byPlan].map(([plan, because]) => `"${because.join('", "')}" triggers "${plan}"`).sort();
  return refused(
    `the changed parameters trigger more than one plan (${wishes.join('; ')}): change them one after the other`,
  );
}

function refused(message: string): Trigger {
  return { kind: 'refused', message };
}

/** The plan that a new OperatorVersion starts: the first of upgrade, update, deploy that it has. */
export function upgradePlanOf(operatorVersion: OperatorVersion): string | undefined {
  return [UPGRADE_PLAN, UPDATE_PLAN, DEPLOY_PLAN].find((plan) => hasPlan(operatorVersion, plan));
}
