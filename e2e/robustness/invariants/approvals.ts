import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { approvalState, needsApproval, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Fact, Invariant } from './fact';
import { History } from './history';
import { nameIn, type RecordedStart, recordedStart } from './recorded-start';

/** Admission reads what is asked for so long before the request is stored, at most. */
const ASKED_WITHIN_MS = 10_000;
/** A process that is suspended writes a start so long after it read the version, at most. */
const STARTED_WITHIN_MS = 90_000;

/**
 * I18: a plan that a second person has to approve starts only with an approval that somebody else gave for this plan, its values and its version,
 * and an approval starts one run.
 */
export const approvals: Invariant = (report) => {
  const known = new Approvals();
  const startedWith = new Map<string, string>();
  return (fact) => {
    const start = recordedStart(fact);
    const problem = start === undefined ? undefined : known.problemOf(start);
    if (start !== undefined && problem !== undefined) {
      report(`I18: plan ${start.plan} (${start.uid}) of Instance ${nameIn(start.after)} started ${problem}`);
    }
    known.note(fact);
    const begun = fact.fact === 'change' && fact.object.kind === 'Instance' ? begunWith(fact.object as Instance) : [];
    for (const { approval, uid } of begun.filter((each) => known.isFor(each.approval, each.plan))) {
      const other = startedWith.get(approval);
      if (other !== undefined && other !== uid)
        report(`I18: PlanApproval ${approval} started two runs, ${other} and ${uid}`);
      startedWith.set(approval, uid);
    }
  };
};

/** The execution under way, when it used an approval. */
function begunWith(instance: Instance): { approval: string; plan: string; uid: string }[] {
  const { plan = '', uid, origin } = actedUpon(instance) ?? {};
  const isBegun = uid !== undefined && instance.status?.planStatus?.[plan]?.uid === uid;
  if (!isBegun || origin?.approval === undefined) return [];
  return [{ approval: `${namespaceOf(instance)}/${origin.approval}`, plan, uid }];
}

/** What an approval may be for: values and versions from the time when it was asked for, as texts. */
interface AskedFor {
  readonly values: readonly string[];
  readonly versions: readonly string[];
}

class Approvals {
  private readonly versions = new Map<string, OperatorVersion>();
  private readonly approvals = new Map<string, PlanApproval>();
  private readonly specs = new History();
  private readonly values = new History();
  private readonly askedFor = new Map<string, AskedFor>();

  note(fact: Fact): void {
    if (fact.fact !== 'change' || fact.type === 'DELETED') return;
    const { object, type, atMs } = fact;
    const key = keyOf(object);
    if (object.kind === 'OperatorVersion') {
      this.versions.set(key, object as OperatorVersion);
      this.specs.note(key, JSON.stringify(object.spec), atMs);
    } else if (object.kind === 'Instance') {
      const { operatorVersion, parameters } = (object as Instance).spec ?? {};
      this.values.note(key, valuesText(operatorVersion?.name, parameters), atMs);
    } else if (object.kind === 'PlanApproval') {
      this.approvals.set(key, object as PlanApproval);
      if (type === 'ADDED') this.askedFor.set(key, this.recent(object as PlanApproval, atMs));
    }
  }

  private recent(approval: PlanApproval, atMs: number): AskedFor {
    const { instanceName = '', operatorVersion = '' } = approval.spec ?? {};
    const namespace = namespaceOf(approval);
    return {
      values: this.values.within(`${namespace}/${instanceName}`, atMs, ASKED_WITHIN_MS),
      versions: this.specs.within(`${namespace}/${operatorVersion}`, atMs, ASKED_WITHIN_MS),
    };
  }

  /** False for an approval of another plan, which the start of a plan that needs none found on the Instance. */
  isFor(key: string, plan: string): boolean {
    return this.approvals.get(key)?.spec?.plan === plan;
  }

  /** How the start breaks the rule, as the rest of a sentence. */
  problemOf({ before, after, plan, record, atMs }: RecordedStart): string | undefined {
    const { name = '' } = record.operatorVersion;
    const version = `${namespaceOf(after)}/${name}`;
    if (!needsApproval({ plan, instance: before, operatorVersion: this.versions.get(version) })) return undefined;
    const named = record.origin?.approval;
    if (named === undefined) return 'without an approval';
    const key = `${namespaceOf(after)}/${named}`;
    const approval = this.approvals.get(key);
    if (approval === undefined) return `with PlanApproval ${named}, which does not exist`;
    const { spec = {}, status = {} } = approval;
    if (approvalState(approval) !== 'approved')
      return `with PlanApproval ${named}, which is ${approvalState(approval)}`;
    if (spec.plan !== plan) return `with PlanApproval ${named}, which is for plan ${spec.plan}`;
    if ((spec.requestedBy ?? status.approvedBy) === status.approvedBy) return 'with the approval of the one who asked';
    const asked = this.askedFor.get(key);
    const specs = this.specs.within(version, atMs, STARTED_WITHIN_MS);
    const started = this.inEffect(version, valuesText(name, record.parameters));
    const isSame =
      asked?.values.some((text) => this.inEffect(version, text) === started) === true &&
      specs.some((text) => asked.versions.includes(text));
    return isSame ? undefined : `with PlanApproval ${named}, which is for other values or another version`;
  }

  /** The values with the defaults of the version: giving a default by name changes nothing. */
  private inEffect(version: string, text: string): string {
    const [name, values] = JSON.parse(text) as [string, [string, string][]];
    const defaults = (this.versions.get(version)?.spec?.parameters ?? []).map(
      (parameter) => [parameter.name, parameter.default] as const,
    );
    return valuesText(name, Object.fromEntries(new Map([...defaults, ...values])));
  }
}

function valuesText(name: string | undefined, parameters: { readonly [name: string]: unknown } = {}): string {
  const values = Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([name, values]);
}

function keyOf(object: KubeObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}
