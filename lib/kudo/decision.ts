import { cloneJson } from '@/lib/json/json';
import { decideUpdate } from './decision-update';
import { CLEANUP_FINALIZER, CLEANUP_PLAN, DEPLOY_PLAN, hasPlan, MAX_INSTANCE_NAME } from './names';
import { findParameter, parameterProblems, parametersOf } from './parameters';
import type { Instance, OperatorVersion } from './types';

/**
 * One decision, three doors: what becomes of a create or an update of an Instance. The admission webhook answers with it,
 * the controller catches up with it on what no webhook saw, and the console asks it before the click.
 * (Engine 6.2–6.6; KUDO pkg/webhook/instance_admission.go. Where we differ, docs/compatibility.md says why.)
 */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  /** UPDATE only. */
  readonly old?: Instance | undefined;
  readonly new: Instance;
  /** The OperatorVersion that `old` refers to; undefined when it cannot be read. */
  readonly oldOperatorVersion?: OperatorVersion | undefined;
  readonly newOperatorVersion?: OperatorVersion | undefined;
  /** The UUID that a plan gets when the decision starts one. */
  readonly newUid: string;
}

/**
 * - `allowed`: as it was sent.
 * - `allowed-with`: `instance` is to be stored instead.
 * - `denied` (code 403): `message` says why.
 * - `error` (code 500): the OperatorVersion that is needed to decide cannot be read.
 */
export interface AdmissionDecision {
  readonly outcome: 'allowed' | 'allowed-with' | 'denied' | 'error';
  readonly instance?: Instance;
  readonly message?: string;
  readonly code?: number;
  /** The plan that the request starts (or starts again). */
  readonly plan?: string;
  /** The plan without progress whose place that plan takes, when it is another one. */
  readonly supersedes?: string;
  /** Which rule decided, for tests and records: `D1`…`D4`, `N1`…`N14`, `check1`…`check5`, `create`, `metadata`, `status`. */
  readonly rule: string;
  /** What the person should know although it is allowed. */
  readonly warnings?: readonly string[];
}

/** Decides about one request. Pure: neither argument is changed. */
export function decideAdmission(request: AdmissionRequest): AdmissionDecision {
  if (request.operation === 'CREATE') return decideCreate(request);
  if (request.old === undefined) {
    return { outcome: 'error', code: 400, rule: 'decode', message: 'An update needs the stored object.' };
  }
  return decideUpdate(request, request.old);
}

function decideCreate(request: AdmissionRequest): AdmissionDecision {
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
    const name = request.new.spec?.operatorVersion?.name ?? '';
    return {
      outcome: 'error',
      code: 500,
      rule: 'create',
      message: `${prefix}OperatorVersion "${name}" cannot be read`,
    };
  }
  if ((metadata.name ?? '').length > MAX_INSTANCE_NAME) {
    return denied(`the name is longer than ${MAX_INSTANCE_NAME} characters, and it becomes a label of every object`);
  }
  if (!hasPlan(operatorVersion, DEPLOY_PLAN)) {
    return denied(`OperatorVersion "${operatorVersion.metadata.name ?? ''}" has no "deploy" plan`);
  }
  const instance = created(request.new, operatorVersion, request.newUid);
  const [problem] = parameterProblems(operatorVersion, instance.spec?.parameters);
  if (problem !== undefined) return denied(problem.message);
  const unknown = Object.keys(instance.spec?.parameters ?? {}).filter((name) => !findParameter(operatorVersion, name));
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
  const instance = cloneJson(sent);
  if (hasPlan(operatorVersion, CLEANUP_PLAN)) addFinalizer(instance);
  const fixed = parametersOf(operatorVersion).filter(
    ({ immutable, default: value, name }) =>
      immutable === true && typeof value === 'string' && !Object.hasOwn(instance.spec?.parameters ?? {}, name),
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
