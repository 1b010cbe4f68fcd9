import { cloneJson } from '@/lib/json/json';
import { withApproval } from '@/lib/kudo/approvals/plan-approval';
import { withLockBreak } from '@/lib/kudo/lock/instance-lock';
import { parameterDiff } from '@/lib/kudo/parameters/parameters';
import { confirmationText, withConfirmation } from '@/lib/kudo/plan-metadata/confirmation';
import { parameterSourceOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, InstanceSpec, OperatorVersion, ParameterSource } from '@/lib/kudo/types';
import type { AdmissionDecision, JudgeStart } from './admission-decision';
import { decideAdmission } from './decision';

export { type Trigger, triggerOf, upgradePlanOf } from './trigger-of';

/** What a person is about to change. */
export interface InstanceEdit {
  /** New values by name; null takes the Instance's own value away, so that the default holds again. Either takes a source away. */
  readonly parameters?: { readonly [name: string]: string | null };
  /** New sources by parameter; null takes the source of a parameter away. */
  readonly sources?: { readonly [name: string]: ParameterSource | null };
  /** Move to this OperatorVersion. */
  readonly operatorVersion?: OperatorVersion;
  /** Start this plan. */
  readonly plan?: string;
  /** Why the lock of the Instance is broken for the plan that starts. */
  readonly breakLock?: string | undefined;
  /** The PlanApproval that the start uses. */
  readonly approval?: string | undefined;
  /** Wall time, ms, when it is judged. Locks are not judged when absent. */
  readonly nowMs?: number;
}

/** What the edit would do, known before the click. */
export interface ChangePreview {
  /**
   * `runs`: plan `plan` starts. `queues`: plan `plan` starts when what is in progress is over. `stores`: accepted, nothing starts. `refused`:
   * `message` says why.
   */
  readonly outcome: 'runs' | 'queues' | 'stores' | 'refused';
  readonly plan?: string;
  /** The plans that run after `plan`, in their order; absent when there is none. */
  readonly next?: readonly string[];
  readonly message?: string;
  readonly warnings: readonly string[];
  /** Parameters that differ, in the order of their names; undefined is unset. */
  readonly changes: readonly ParameterChange[];
  /** The text of the annotation that the write needs, when the plan is destructive and not confirmed yet. */
  readonly confirmation?: string;
  /** The Instance with the edit in it, before admission: what is to be sent. */
  readonly instance: Instance;
}

export interface ParameterChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Which plan an edit of an Instance starts, or why it would be refused: the same decision as admission makes, asked by the
 * console before the click. A plan that needs a confirmation counts as confirmed, and `confirmation` says so.
 */
export function planForChange(
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
  edit: InstanceEdit,
  judge?: JudgeStart,
): ChangePreview {
  const next = withEdit(instance, edit);
  const decide = (sent: Instance): AdmissionDecision =>
    decideAdmission({
      operation: 'UPDATE',
      old: instance,
      new: sent,
      oldOperatorVersion: operatorVersion,
      newOperatorVersion: edit.operatorVersion ?? operatorVersion,
      newUid: 'preview',
      judge,
      nowMs: edit.nowMs,
    });
  const first = decide(next);
  const unconfirmed = first.rule === 'confirm' ? first.plan : undefined;
  const decision = unconfirmed === undefined ? first : decide(withConfirmation(next, unconfirmed));
  const waiting = (decision.queued ?? []).map((queued) => queued.plan);
  const [plan, ...after] = decision.plan === undefined ? waiting : [decision.plan, ...waiting];
  return {
    outcome: outcomeOf(decision),
    ...(plan === undefined ? {} : { plan }),
    ...(after.length === 0 ? {} : { next: after }),
    ...(decision.message === undefined ? {} : { message: withoutPrefix(decision.message) }),
    warnings: decision.warnings ?? [],
    changes: changesBetween(instance, next),
    ...(unconfirmed === undefined ? {} : { confirmation: confirmationText(unconfirmed, instance.metadata.name ?? '') }),
    instance: next,
  };
}

function outcomeOf({ outcome, plan, queued }: AdmissionDecision): ChangePreview['outcome'] {
  if (outcome === 'denied' || outcome === 'error') return 'refused';
  if (plan !== undefined) return 'runs';
  return queued === undefined ? 'stores' : 'queues';
}

/** The Instance with the edit in it; a new object. */
export function withEdit(instance: Instance, edit: InstanceEdit): Instance {
  const next = cloneJson(instance);
  next.spec ??= {};
  if (edit.parameters !== undefined) {
    const values = new Map(Object.entries(next.spec.parameters ?? {}));
    for (const [name, value] of Object.entries(edit.parameters)) {
      if (value === null) values.delete(name);
      else values.set(name, value);
    }
    next.spec.parameters = Object.fromEntries(values);
  }
  // A value takes the place of a source.
  const replaced = Object.keys(edit.parameters ?? {}).filter(
    (name) => parameterSourceOf(instance.spec, name) !== undefined,
  );
  const sources = { ...Object.fromEntries(replaced.map((name) => [name, null])), ...edit.sources };
  if (Object.keys(sources).length > 0) setSources(next.spec, sources);
  if (edit.operatorVersion !== undefined) {
    next.spec.operatorVersion = { ...next.spec.operatorVersion, name: edit.operatorVersion.metadata.name ?? '' };
  }
  if (edit.plan !== undefined) next.spec.planExecution = { planName: edit.plan, uid: 'preview' };
  const { breakLock = '', approval = '' } = edit;
  const broken = breakLock === '' ? next : withLockBreak(next, breakLock);
  return approval === '' ? broken : withApproval(broken, approval);
}

function setSources(spec: InstanceSpec, sources: NonNullable<InstanceEdit['sources']>): void {
  const kept = (spec.parametersFrom ?? []).filter(({ name = '' }) => !Object.hasOwn(sources, name));
  const added = Object.values(sources).filter((source) => source !== null);
  const all = [...kept, ...added];
  if (all.length > 0) spec.parametersFrom = all;
  else delete spec.parametersFrom;
}

function changesBetween(before: Instance, after: Instance): ParameterChange[] {
  const { changed, removed } = parameterDiff(before.spec?.parameters, after.spec?.parameters);
  return [...changed.keys(), ...removed.keys()].sort().map((name) => ({
    name,
    before: before.spec?.parameters?.[name],
    after: changed.get(name),
  }));
}

/** `failed to update Instance ns/name: why` → `why`: the person knows which Instance they look at. */
function withoutPrefix(message: string): string {
  return message.replace(/^failed to [a-z ]+ (?:an )?Instance [^ ]+: /, '');
}
