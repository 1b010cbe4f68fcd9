import { isTerminal } from '@/lib/kudo/plan/status';
import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';
import type { Invariant, StoreChange } from './fact';

const RESOURCE = `${PLAN_RUNS.group}/${PLAN_RUNS.resource}`;

/**
 * I14: an execution has at most one PlanRun, which says why it began; it is made before the execution ends, and one that is over does
 * not change any more. Some time after the last change every PlanRun is over whose execution is.
 */
export const oneRecord: Invariant = (report) => {
  const records = new Records(report);
  return (fact) => {
    if (fact.fact === 'change') records.see(fact);
    if (fact.fact === 'rest') records.checkRest(fact.instance as Instance);
    if (fact.fact === 'copy') records.checkOpen();
  };
};

class Records {
  private readonly nameByUid = new Map<string, string>();
  private readonly open = new Map<string, PlanRun>();
  /** The uids of the executions that are scheduled, by uid of the Instance. */
  private readonly running = new Map<string, string>();

  constructor(private readonly report: (violation: string) => void) {}

  see({ resource, type, object, before }: StoreChange): void {
    if (object.kind === 'Instance') {
      const id = object.metadata.uid ?? '';
      if (type === 'DELETED') this.running.delete(id);
      else this.running.set(id, (object as Instance).spec?.planExecution?.uid ?? '');
    }
    if (resource !== RESOURCE) return;
    const run = object as PlanRun;
    if (type === 'DELETED') this.open.delete(nameIn(run));
    else this.seeRun(run, before as PlanRun | undefined);
  }

  private seeRun(run: PlanRun, before: PlanRun | undefined): void {
    const name = nameIn(run);
    const { uid = '', cause } = run.spec ?? {};
    const known = this.nameByUid.get(uid);
    if (known !== undefined && known !== name) this.report(`I14: ${name} and ${known} are records of one execution`);
    this.nameByUid.set(uid, name);
    if (cause === undefined) this.report(`I14: run ${name} does not say why it began`);
    if (isOver(before?.status?.status) && endOf(before) !== endOf(run)) {
      this.report(`I14: run ${name} changed after its end`);
    }
    if (isOver(run.status?.status)) this.open.delete(name);
    else this.open.set(name, run);
  }

  checkRest(instance: Instance): void {
    for (const [plan, { status, uid = '' }] of Object.entries(instance.status?.planStatus ?? {})) {
      if (!isTerminal(status) || uid === '' || this.nameByUid.has(uid)) continue;
      this.report(`I14: execution ${uid} of plan ${plan} has no record`);
    }
  }

  checkOpen(): void {
    for (const [name, { spec }] of this.open) {
      if (this.running.get(spec?.instanceUid ?? '') === spec?.uid) continue;
      this.report(`I14: run ${name} is open, and its execution is not under way`);
      this.open.delete(name);
    }
  }
}

function nameIn({ metadata }: PlanRun): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** That its Instance is gone is noted later. */
function endOf(run: PlanRun | undefined): string {
  const { instanceGoneAt: _, ...status } = run?.status ?? {};
  return JSON.stringify(status);
}
