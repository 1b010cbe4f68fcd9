import { cloneJson, jsonEqual } from '@/lib/json/json';
import { approvalNameOf, needsApproval, withoutApproval } from '@/lib/kudo/approvals/plan-approval';
import { CLEANUP_FINALIZER, CLEANUP_PLAN, DEPLOY_PLAN, hasPlan } from '@/lib/kudo/names';
import { parameterProblems } from '@/lib/kudo/parameters/parameter-problems';
import { findParameter, parameterDiff } from '@/lib/kudo/parameters/parameters';
import { isConfirmed, isDestructive, withoutConfirmation } from '@/lib/kudo/plan-metadata/confirmation';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { QueuedPlan } from '@/lib/kudo/queue/enqueue';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import { sourcesProblem } from '@/lib/kudo/sources/source-check';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { AdmissionDecision, InstanceWrite } from './admission-decision';
import { changeOf, type InstanceChange, needsOperatorVersion } from './decision-change';
import { decideByTable, type TableDecision } from './decision-table';
import { immutabilityProblem } from './immutability';
import { missingVersion } from './missing-version';
import { startRefusal } from './plan-gate';
import { type Trigger, triggerOf, upgradePlanOf } from './trigger-of';

/** Decides about an update: first what needs no OperatorVersion, then the checks of 6.5, then the table of 6.6. */
export function decideUpdate(request: InstanceWrite, before: Instance): AdmissionDecision {
  const after = request.new;
  if (jsonEqual(before.spec, after.spec) && jsonEqual(before.status, after.status)) {
    return { outcome: 'allowed', rule: 'metadata' };
  }
  const change = changeOf(before, after);
  const names = `${after.metadata.namespace ?? ''}/${after.metadata.name ?? ''}`;
  const deny = (rule: string, message: string): AdmissionDecision => ({ outcome: 'denied', code: 403, rule, message });
  // One that was stored while nobody was asked is refused at the next edit of the sources, or of a value.
  const sources = sourcesProblem(after.spec);
  if (
    sources !== undefined &&
    (needsOperatorVersion(change) || !jsonEqual(before.spec?.parametersFrom, after.spec?.parametersFrom))
  ) {
    return deny('sources', `failed to update Instance ${names}: ${sources}`);
  }
  if (!needsOperatorVersion(change)) {
    return carryOut(decideByTable(change, { kind: 'none' }, undefined), request, change);
  }
  const operatorVersion = request.newOperatorVersion;
  if (operatorVersion === undefined) {
    const message = `failed to update Instance ${names}: ${missingVersion(after)}`;
    return { outcome: 'error', code: 500, rule: 'version', message };
  }
  const oldVersion = change.isUpgrade ? request.oldOperatorVersion : operatorVersion;
  const refusal = check(before, after, change, { before: oldVersion, after: operatorVersion });
  if (refusal !== undefined) return deny(refusal.rule, `${refusal.prefix(names)}${refusal.message}`);
  const isAsked = change.isNovelPlan || change.isOverride;
  const asked = isAsked ? (planMetadataOf(operatorVersion, change.planAfter).parameters ?? []) : [];
  const isUndecided = undecided(request.decided, after);
  const counting = [...counted(change, oldVersion)].filter((name) => !asked.includes(name) && isUndecided(name));
  const trigger = triggerOf(operatorVersion, counting);
  if (trigger.kind === 'refused') return deny('check5', `failed to update Instance ${names}: ${trigger.message}`);
  return carryOut(decideByTable(change, trigger, upgradePlanOf(operatorVersion)), request, change, trigger);
}

/**
 * Parameters that can start a plan: changed ones that the old version knew, and removed ones. The parameters that a plan asks for may
 * be sent with its start, and start no other.
 */
function* counted(change: InstanceChange, oldVersion: OperatorVersion | undefined): Generator<string> {
  for (const name of change.changed.keys()) if (findParameter(oldVersion, name) !== undefined) yield name;
  yield* change.removed.keys();
}

/** Which parameters differ from what was decided about; all of them when nothing was. */
function undecided(decided: Instance | undefined, after: Instance): (name: string) => boolean {
  if (decided === undefined) return () => true;
  const { changed, removed } = parameterDiff(decided.spec?.parameters, after.spec?.parameters);
  return (name) => changed.has(name) || removed.has(name);
}

interface Refusal {
  readonly rule: string;
  readonly prefix: (names: string) => string;
  readonly message: string;
}

function check(
  before: Instance,
  after: Instance,
  change: InstanceChange,
  versions: { readonly before: OperatorVersion | undefined; readonly after: OperatorVersion },
): Refusal | undefined {
  const newExecution = change.isNovelPlan || change.isOverride || change.isRetrigger;
  if (newExecution && !hasPlan(versions.after, change.planAfter)) {
    return { rule: 'check1', prefix: () => '', message: `plan ${change.planAfter} does not exist` };
  }
  const unknown = [...change.changed.keys(), ...change.newSources].find(
    (name) => findParameter(versions.after, name) === undefined,
  );
  if (unknown !== undefined) {
    const message = `parameter "${unknown}" is not defined in OperatorVersion "${versions.after.metadata.name ?? ''}"`;
    return { rule: 'check2', prefix: (names) => `failed to update Instance ${names}: `, message };
  }
  const fixed = immutabilityProblem(before, after, change, versions);
  if (fixed !== undefined) {
    return {
      rule: 'check3',
      prefix: (names) => `failed to check immutable parameters for Instance ${names}: `,
      message: fixed,
    };
  }
  const touched = change.isUpgrade || change.changed.size > 0 || change.removed.size > 0;
  const [problem] = touched ? parameterProblems(versions.after, after.spec?.parameters) : [];
  if (problem === undefined) return undefined;
  return {
    rule: 'check4',
    prefix: (names) => `failed to validate parameters for Instance ${names}: `,
    message: problem.message,
  };
}

function carryOut(
  verdict: TableDecision,
  request: InstanceWrite,
  change: InstanceChange,
  trigger: Trigger = { kind: 'none' },
): AdmissionDecision {
  const { rule } = verdict;
  const { namespace = '', name = '' } = request.new.metadata;
  switch (verdict.kind) {
    case 'denied':
      return {
        outcome: 'denied',
        code: 403,
        rule,
        message: `failed to update Instance ${namespace}/${name}: ${verdict.message}`,
      };
    case 'allowed':
      return { outcome: 'allowed', rule };
    case 'clear': {
      const instance = cloneJson(request.new);
      instance.spec = { ...instance.spec, planExecution: {} };
      return { outcome: 'allowed-with', rule, instance };
    }
    case 'queue':
      return wait(verdict, request, trigger);
    case 'run': {
      const after = plansAfter(verdict.plan, trigger, change);
      const refused = refusedStart(request, verdict.plan) ?? unconfirmed(request, after);
      if (refused !== undefined) return refused;
      const sent = isMarked(request, verdict.plan) ? request.new : withoutApproval(request.new);
      const instance = cloneJson(withoutConfirmations(sent, [verdict.plan, ...after]));
      instance.spec = {
        ...instance.spec,
        planExecution: { planName: verdict.plan, uid: request.newUid, status: 'NEVER_RUN' },
      };
      if (change.isUpgrade && request.newOperatorVersion !== undefined) moveTo(instance, request.newOperatorVersion);
      const replaced = change.isStalled && change.planBefore !== verdict.plan ? { supersedes: change.planBefore } : {};
      const queued = after.length === 0 ? {} : { queued: queuedPlans(request, after) };
      return {
        outcome: 'allowed-with',
        rule,
        instance,
        plan: verdict.plan,
        ...queued,
        ...replaced,
        ...warnings(trigger),
      };
    }
  }
}

/** Plans of an edit that wait for the one that starts. What starts `deploy` is done by the plan of a new version, as in KUDO. */
function plansAfter(plan: string, trigger: Trigger, { isUpgrade }: InstanceChange): string[] {
  if (trigger.kind !== 'plan') return [];
  const plans = isUpgrade ? [trigger.plan, ...trigger.after].filter((each) => each !== DEPLOY_PLAN) : trigger.after;
  return plans.filter((each) => each !== plan);
}

/** Accepted, and waits: `planExecution` stays what it was. Preconditions are judged when the run is to start. */
function wait(
  { rule, plan }: Extract<TableDecision, { kind: 'queue' }>,
  request: InstanceWrite,
  trigger: Trigger,
): AdmissionDecision {
  const plans = [plan, ...(trigger.kind === 'plan' ? trigger.after : [])];
  const refused = unconfirmed(request, plans);
  if (refused !== undefined) return refused;
  // The entries of the queue have what this write confirms and names.
  const instance = cloneJson(withoutApproval(withoutConfirmations(request.new, plans)));
  instance.spec = { ...instance.spec, planExecution: { ...request.old?.spec?.planExecution } };
  return { outcome: 'allowed-with', rule, instance, queued: queuedPlans(request, plans), ...warnings(trigger) };
}

/** The refusal of the first of these plans that is destructive and not confirmed. */
function unconfirmed({ judge: _, ...request }: InstanceWrite, plans: readonly string[]): AdmissionDecision | undefined {
  return plans.map((plan) => refusedStart(request, plan)).find((refused) => refused !== undefined);
}

function queuedPlans(request: InstanceWrite, plans: readonly string[]): QueuedPlan[] {
  const { new: instance, newOperatorVersion } = request;
  return plans.map((plan) => {
    const approval = isMarked(request, plan) ? approvalNameOf(instance) : undefined;
    return {
      plan,
      ...(isDestructive(newOperatorVersion, plan) && isConfirmed(instance, plan) ? { confirmed: true } : {}),
      ...(approval === undefined ? {} : { approval }),
    };
  });
}

/** True for a plan whose start needs the approval of a second person: no other one uses it up. */
function isMarked({ new: instance, newOperatorVersion: operatorVersion }: InstanceWrite, plan: string): boolean {
  return needsApproval({ plan, instance, operatorVersion });
}

function withoutConfirmations(instance: Instance, plans: readonly string[]): Instance {
  return plans.reduce(withoutConfirmation, instance);
}

/** The refusal of a start that the table allows: a lock, a precondition that does not hold, a destructive plan without confirmation. */
function refusedStart(request: InstanceWrite, plan: string): AdmissionDecision | undefined {
  const { old: stored, new: instance, newOperatorVersion: operatorVersion, judge, judgeAuthor, nowMs } = request;
  if (operatorVersion === undefined) return undefined;
  const refusal = startRefusal({ plan, instance, operatorVersion }, { judge, judgeAuthor, nowMs, stored });
  if (refusal === undefined) return undefined;
  return { outcome: 'denied', code: 403, plan, ...refusal };
}

/** An upgraded Instance forgets values and sources that the new version does not know, and follows its cleanup plan (T-04). */
function moveTo(instance: Instance, operatorVersion: OperatorVersion): void {
  if (instance.spec?.parameters !== undefined) {
    const known = Object.entries(instance.spec.parameters).filter(([name]) => findParameter(operatorVersion, name));
    instance.spec.parameters = Object.fromEntries(known);
  }
  if (instance.spec?.parametersFrom !== undefined) {
    const defined = sourcesOf(instance.spec).filter(({ parameter }) => findParameter(operatorVersion, parameter));
    const names = new Set(defined.map(({ parameter }) => parameter));
    const kept = instance.spec.parametersFrom.filter(({ name = '' }) => names.has(name));
    if (kept.length > 0) instance.spec.parametersFrom = kept;
    else delete instance.spec.parametersFrom;
  }
  const others = (instance.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  const finalizers = hasPlan(operatorVersion, CLEANUP_PLAN) ? [...others, CLEANUP_FINALIZER] : others;
  if (finalizers.length > 0) instance.metadata.finalizers = finalizers;
  else delete instance.metadata.finalizers;
}

function warnings(trigger: Trigger): { warnings?: readonly string[] } {
  if (trigger.kind !== 'plan' || trigger.unheard.length === 0) return {};
  const names = `"${trigger.unheard.join('", "')}"`;
  return {
    warnings: [
      `only plan "${trigger.plan}" runs; the change of ${names} is stored, and takes effect when a plan that uses it runs`,
    ],
  };
}
