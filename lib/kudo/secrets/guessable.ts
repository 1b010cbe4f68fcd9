import { arrayAt, isJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { withDataOfTexts } from '@/lib/kudo/inventory/secret-data';
import { CLEANUP_PLAN, DEPLOY_PLAN, planNames } from '@/lib/kudo/names';
import { phasesOf, stepsOf } from '@/lib/kudo/plan/status';
import type { OperatorVersion, Task } from '@/lib/kudo/types';

/** Functions of templates that draw random bytes. */
const RANDOM_FUNCTION =
  /\b(rand(AlphaNum|Alpha|Numeric|Ascii|Bytes|Int)|shuffle|uuidv4|gen(PrivateKey|CA|CAWithKey|SelfSignedCert|SelfSignedCertWithKey|SignedCert|SignedCertWithKey)|bcrypt|htpasswd|encryptAES)\b/;

/** A live Secret with values that can be computed from public fields. */
export interface GuessableSecret {
  readonly name: string;
  readonly keys: readonly string[];
  /** Replaces the values. */
  readonly plan: string;
}

/** The tasks of a step whose templates draw random bytes. */
export function randomTasksOf(
  operatorVersion: OperatorVersion,
  place: { readonly plan: string; readonly phase: string; readonly step: string },
): Task[] {
  const { tasks, templates, plans } = operatorVersion.spec ?? {};
  const phase = phasesOf(plans?.[place.plan] ?? {}).find(({ name }) => name === place.phase);
  const step = phase === undefined ? undefined : stepsOf(phase).find(({ name }) => name === place.step);
  return (tasks ?? []).filter(({ name, spec }) => {
    const isRandom = (spec?.resources ?? []).some((resource) => RANDOM_FUNCTION.test(templates?.[resource] ?? ''));
    return isRandom && (step?.tasks ?? []).includes(name);
  });
}

/** True when some template of the version draws random bytes. */
export function hasRandomTemplates(operatorVersion: OperatorVersion | undefined): boolean {
  return Object.values(operatorVersion?.spec?.templates ?? {}).some((text) => RANDOM_FUNCTION.test(text));
}

/**
 * The keys of a live Secret whose values can be computed: they are as the former, predictable source of random bytes gives them, and
 * not as they would be whatever the source gives.
 */
export function guessableKeys(live: KubeObject, predictable: KubeObject, random: KubeObject): string[] {
  const [now, computed, other] = [live, predictable, random].map((secret) => {
    const { data } = withDataOfTexts(secret);
    return isJsonObject(data) ? data : {};
  });
  return Object.keys(computed ?? {}).filter(
    (key) => now?.[key] === computed?.[key] && other?.[key] !== computed?.[key],
  );
}

/** The plan with the fewest steps that runs the task; deploy and cleanup only when there is no other one. */
export function planThatReplaces(operatorVersion: OperatorVersion, task: string): string {
  const stepsThatRun = (plan: string) => {
    const steps = arrayAt(operatorVersion.spec?.plans?.[plan], 'phases').flatMap((phase) => arrayAt(phase, 'steps'));
    return steps.some((step) => arrayAt(step, 'tasks').includes(task)) ? steps.length : 0;
  };
  const [best] = planNames(operatorVersion)
    .filter((plan) => plan !== CLEANUP_PLAN && stepsThatRun(plan) > 0)
    .sort((a, b) => Number(a === DEPLOY_PLAN) - Number(b === DEPLOY_PLAN) || stepsThatRun(a) - stepsThatRun(b));
  return best ?? DEPLOY_PLAN;
}

/** One sentence for the condition and the event, without any value. */
export function guessableMessage(found: readonly GuessableSecret[]): string {
  const secrets = found.map(({ name, keys, plan }) => {
    const what = keys.length === 1 ? `the value of key ${keys[0]}` : `the values of keys ${keys.join(', ')}`;
    return `Secret ${name}: an earlier version of Bravo generated ${what} from public fields, so anybody who can read the Instance can compute it. Run plan ${plan} to replace it.`;
  });
  return secrets.join(' ');
}

/** True for a Secret of Kubernetes with that name. */
export function isSecretNamed(object: KubeObject, name: string): boolean {
  return object.kind === 'Secret' && object.apiVersion === 'v1' && stringAt(object, 'metadata', 'name') === name;
}
