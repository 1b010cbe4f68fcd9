import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import type { Invariant } from './fact';

/**
 * I5: within one execution a step never leaves COMPLETE and a plan never leaves its end; the uid of an execution is never
 * used for another one.
 */
export const noWayBack: Invariant = (report) => {
  const executions = new Executions(report);
  return (fact) => {
    if (fact.fact !== 'change' || fact.object.kind !== 'Instance' || fact.type === 'DELETED') return;
    const instance = fact.object as Instance;
    const seen = actedUpon(instance);
    const id = instance.metadata.uid ?? '';
    if (seen?.uid !== undefined && seen.plan !== undefined) executions.claim(seen.uid, `${id} ${seen.plan}`);
    for (const [plan, status] of Object.entries(instance.status?.planStatus ?? {})) {
      const { uid = '' } = status;
      if (uid === '') continue;
      executions.claim(uid, `${id} ${plan}`);
      const before = (fact.before as Instance | undefined)?.status?.planStatus?.[plan];
      executions.follow(uid, plan, before, status);
    }
  };
};

class Executions {
  /** Where each execution's uid was used: `uid of the Instance, plan`. */
  private readonly owners = new Map<string, string>();
  private readonly ended = new Set<string>();

  constructor(private readonly report: (violation: string) => void) {}

  claim(uid: string, owner: string): void {
    const before = this.owners.get(uid);
    if (before !== undefined && before !== owner) {
      this.report(`I5: execution ${uid} belongs to ${before} and to ${owner}`);
    }
    this.owners.set(uid, owner);
  }

  /** A new status of the execution; `before` is the plan's last status, perhaps of another execution. */
  follow(uid: string, plan: string, before: PlanStatus | undefined, after: PlanStatus): void {
    if (before?.uid === uid) compare(plan, before, after, this.report);
    else if (this.ended.has(uid)) this.report(`I5: the ended execution ${uid} of plan ${plan} came back`);
    if (isTerminal(after.status)) this.ended.add(uid);
  }
}

function compare(plan: string, before: PlanStatus, after: PlanStatus, report: (violation: string) => void): void {
  if (isTerminal(before.status) && before.status !== after.status) {
    report(`I5: plan ${plan} went from ${before.status} to ${after.status}`);
  }
  const steps = new Map(stepsOf(after));
  for (const [path, status] of stepsOf(before)) {
    const now = steps.get(path);
    if (status === 'COMPLETE' && now !== 'COMPLETE') report(`I5: step ${plan}.${path} went from COMPLETE to ${now}`);
  }
}

function stepsOf(status: PlanStatus): [string, string | undefined][] {
  return (status.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).map((step): [string, string | undefined] => [`${phase.name}.${step.name}`, step.status]),
  );
}
