import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Invariant, TakenOff } from './fact';

interface Execution {
  readonly uid: string;
  readonly plan: string;
  readonly parameters: { readonly [name: string]: string };
  /** Name of the OperatorVersion. */
  readonly version: string;
}

/**
 * I6: when an Instance is idle, the controller has acted upon its whole `spec`, and for each parameter with a
 * trigger the last execution of that plan started with the current value, or the plan waits in the queue (I15 says when it may)
 * or was taken off it by a user.
 * The plan that was recorded last has started: the status names it.
 *
 * @param versionOf the OperatorVersion of an Instance
 */
export function nothingLost(versionOf: (instance: Instance) => OperatorVersion | undefined): Invariant {
  return (report) => {
    const executions = new Executions();
    return (fact) => {
      if (fact.fact === 'taken-off') executions.takeOff(fact);
      if (fact.fact === 'change' && fact.object.kind === 'Instance' && fact.type !== 'DELETED') {
        executions.note(fact.object as Instance);
      }
      if (fact.fact !== 'rest') return;
      const instance = fact.instance as Instance;
      if (hasUnseenChange(instance))
        report(`I6: Instance ${instance.metadata.name} is idle with an edit that the controller did not act upon`);
      const missing = executions.neverStarted(instance);
      if (missing !== undefined)
        report(
          `I6: Instance ${instance.metadata.name} is idle, but plan ${missing.plan} was recorded and never started (${missing.uid})`,
        );
      for (const violation of lostValues(instance, versionOf(instance), executions)) report(violation);
    };
  };
}

/** The executions that were recorded in Instances, and which of them have started. */
class Executions {
  private readonly recorded = new Map<string, readonly Execution[]>();
  /** The uids in plan statuses. */
  private readonly started = new Set<string>();
  /** Plans that users took off the queue, by uid of the Instance. */
  private readonly unwanted = new Map<string, ReadonlySet<string>>();

  note(instance: Instance): void {
    const { plan, uid, parameters, operatorVersion } = actedUpon(instance) ?? {};
    if (plan !== undefined && uid !== undefined && parameters !== undefined)
      this.record(instance, { plan, uid, parameters, version: operatorVersion?.name ?? '' });
    for (const status of Object.values(instance.status?.planStatus ?? {})) this.started.add(status.uid ?? '');
  }

  /** The last execution of an Instance if it has not started. */
  neverStarted(instance: Instance): Execution | undefined {
    const last = this.of(instance).at(-1);
    return last === undefined || this.started.has(last.uid) ? undefined : last;
  }

  begun(instance: Instance): readonly Execution[] {
    return this.of(instance).filter(({ uid }) => this.started.has(uid));
  }

  takeOff({ instanceUid, plan }: TakenOff): void {
    this.unwanted.set(instanceUid, new Set([...(this.unwanted.get(instanceUid) ?? []), plan]));
  }

  /** Plans whose values nobody needs to have seen: they wait, or a user took them off the queue. */
  excused(instance: Instance): ReadonlySet<string> {
    const waiting = runQueueOf(instance).entries.map(({ plan }) => plan);
    return new Set([...waiting, ...(this.unwanted.get(instance.metadata.uid ?? '') ?? [])]);
  }

  private record(instance: Instance, execution: Execution): void {
    const known = this.of(instance);
    if (known.some(({ uid }) => uid === execution.uid)) return;
    this.recorded.set(instance.metadata.uid ?? '', [...known, execution]);
  }

  private of(instance: Instance): readonly Execution[] {
    return this.recorded.get(instance.metadata.uid ?? '') ?? [];
  }
}

function lostValues(instance: Instance, version: OperatorVersion | undefined, known: Executions): string[] {
  const executions = known.begun(instance);
  const [first] = executions;
  if (first === undefined || version === undefined) return [];
  const lost: string[] = [];
  const excused = known.excused(instance);
  for (const { name, trigger, default: fallback } of version.spec?.parameters ?? []) {
    if (trigger === undefined || trigger === '' || excused.has(trigger)) continue;
    // The plan of a new version takes every parameter that was changed together with it.
    const isAnswer = ({ plan, version: name }: Execution, index: number) =>
      plan === trigger || (index > 0 && executions[index - 1]?.version !== name);
    const last = executions.filter(isAnswer).at(-1) ?? first;
    const used = last.parameters[name] ?? fallback;
    const wanted = instance.spec?.parameters?.[name] ?? fallback;
    if (used !== wanted)
      lost.push(`I6: parameter ${name} is ${wanted}, but plan ${trigger} last started with ${used} (${last.uid})`);
  }
  return lost;
}
