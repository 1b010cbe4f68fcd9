import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { DEPLOY_PLAN, SELF_HEAL_ANNOTATION, UPDATE_PLAN, UPGRADE_PLAN } from '@/lib/kudo/names';
import { parametersOf } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion } from '@/lib/kudo/types';

/**
 * True for a plan that brings about what the Instance asks for: deploy, update, upgrade, and every plan that a parameter
 * triggers. Other plans (a backup, a restore) happen once, when somebody asks; objects that they alone
 * created are not restored (docs/decisions/021).
 */
export function isStandingPlan(operatorVersion: OperatorVersion, plan: string): boolean {
  if (plan === DEPLOY_PLAN || plan === UPDATE_PLAN || plan === UPGRADE_PLAN) return true;
  return parametersOf(operatorVersion).some(({ trigger }) => trigger === plan);
}

/**
 * True for an object that should stay as the plan applied it. Jobs, and Pods that run to an end, may be deleted once they have ended;
 * an object whose template says `bravo.kudo.dev/self-heal: "off"` may be changed by others.
 */
export function isSteadyObject(object: KubeObject): boolean {
  if (object.metadata.annotations?.[SELF_HEAL_ANNOTATION] === 'off') return false;
  if (object.kind === 'Job' && object.apiVersion.startsWith('batch/')) return false;
  if (object.kind === 'Pod' && object.apiVersion === 'v1') {
    return (stringAt(object.spec, 'restartPolicy') ?? 'Always') === 'Always';
  }
  return object.metadata.name !== undefined && object.metadata.name !== '';
}
