import { cloneJson } from '@/lib/json/json';
import { CLEANUP_FINALIZER, CLEANUP_PLAN, DEPLOY_PLAN, hasPlan, MAX_INSTANCE_NAME } from '@/lib/kudo/names';
import { parameterProblems } from '@/lib/kudo/parameters/parameter-problems';
import { findParameter, parametersOf } from '@/lib/kudo/parameters/parameters';
import { withSources } from '@/lib/kudo/plan/acted-upon';
import { withoutConfirmation } from '@/lib/kudo/plan-metadata/confirmation';
import { parameterSourceOf, sourcesOf } from '@/lib/kudo/sources/parameter-source';
import { sourcesProblem } from '@/lib/kudo/sources/source-check';
import { withoutSourceValues } from '@/lib/kudo/sources/source-values';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { AdmissionDecision, InstanceWrite } from './admission-decision';
import { decideUpdate } from './decision-update';
import { missingVersion } from './missing-version';

/**
 * Decides about one request. Pure: neither argument is changed. Sources of parameters are not read: one that stays the same
 * counts as an unchanged value, another one as a changed value.
 */
export function decideAdmission(request: InstanceWrite): AdmissionDecision {
  const { old } = request;
  const completed = { ...(old === undefined ? {} : { old: withSources(old) }), new: withSources(request.new) };
  const decision = decideWithSources({ ...request, ...completed });
  return decision.instance === undefined ? decision : { ...decision, instance: withoutSourceValues(decision.instance) };
}

/** The same for Instances that `withSources` has given a value for each source; the answer's Instance has them too. */
export function decideWithSources(request: InstanceWrite): AdmissionDecision {
  if (request.operation === 'CREATE') return decideCreate(request);
  if (request.old === undefined) {
    return { outcome: 'error', code: 400, rule: 'decode', message: 'An update needs the stored object.' };
  }
  return decideUpdate(request, request.old);
}

function decideCreate(request: InstanceWrite): AdmissionDecision {
  const { metadata } = request.new;
  const prefix = `failed to create an Instance ${metadata.namespace ?? ''}/${metadata.name ?? ''}: `;
  const denied = (message: string): AdmissionDecision => ({
    outcome: 'denied',
    code: 403,
    rule: 'create',
    message: `${prefix}${message}`,
  });
  const operatorVersion = request.newOperatorVersion;
  if (operatorVersion === undefined) {
    return { outcome: 'error', code: 500, rule: 'create', message: `${prefix}${missingVersion(request.new)}` };
  }
  if ((metadata.name ?? '').length > MAX_INSTANCE_NAME) {
    return denied(`the name is longer than ${MAX_INSTANCE_NAME} characters, and it becomes a label of every object`);
  }
  if (!hasPlan(operatorVersion, DEPLOY_PLAN)) {
    return denied(`OperatorVersion "${operatorVersion.metadata.name ?? ''}" has no "deploy" plan`);
  }
  const sources = sourcesProblem(request.new.spec);
  if (sources !== undefined) return denied(sources);
  const instance = created(request.new, operatorVersion, request.newUid);
  const [problem] = parameterProblems(operatorVersion, instance.spec?.parameters);
  if (problem !== undefined) return denied(problem.message);
  const refusal = request.judge?.({ plan: DEPLOY_PLAN, instance, operatorVersion });
  if (refusal !== undefined) return { ...denied(refusal), rule: 'precondition', plan: DEPLOY_PLAN };
  const named = [
    ...Object.keys(instance.spec?.parameters ?? {}),
    ...sourcesOf(instance.spec).map(({ parameter }) => parameter),
  ];
  const unknown = [...new Set(named)].filter((name) => !findParameter(operatorVersion, name));
  return {
    outcome: 'allowed-with',
    instance,
    plan: DEPLOY_PLAN,
    rule: 'create',
    ...(unknown.length > 0
      ? { warnings: unknown.map((name) => `parameter "${name}" is not defined and has no effect`) }
      : {}),
  };
}

/** The Instance as it is stored: deploy scheduled, cleanup's finalizer, defaults of immutable parameters written down. */
function created(sent: Instance, operatorVersion: OperatorVersion, uid: string): Instance {
  // To create an Instance is to confirm its first plan.
  const instance = cloneJson(withoutConfirmation(sent, DEPLOY_PLAN));
  if (hasPlan(operatorVersion, CLEANUP_PLAN)) addFinalizer(instance);
  const fixed = parametersOf(operatorVersion).filter(
    ({ immutable, default: value, name }) =>
      immutable === true &&
      typeof value === 'string' &&
      !Object.hasOwn(instance.spec?.parameters ?? {}, name) &&
      parameterSourceOf(instance.spec, name) === undefined,
  );
  instance.spec = { ...instance.spec, planExecution: { planName: DEPLOY_PLAN, uid } };
  if (fixed.length > 0) {
    const defaults = Object.fromEntries(fixed.map(({ name, default: value }) => [name, value ?? '']));
    instance.spec.parameters = { ...instance.spec.parameters, ...defaults };
  }
  return instance;
}

function addFinalizer(instance: Instance): void {
  const finalizers = instance.metadata.finalizers ?? [];
  if (!finalizers.includes(CLEANUP_FINALIZER)) instance.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
}
