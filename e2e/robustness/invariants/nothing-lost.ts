import { actedUpon, hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Invariant } from './fact';

interface Execution {
  readonly uid: string;
  readonly plan: string;
  readonly parameters: { readonly [name: string]: string };
  /** Name of the OperatorVersion. */
  readonly version: string;
}

/**
 * I6: when an Instance is idle, the controller has acted upon its whole `spec`, and for each parameter with a
 * trigger the last execution of that plan started with the current value. The plan that was recorded last has started: the status
 * names it.
 *
 * @param versionOf the OperatorVersion of an Instance
 */
export function nothingLost(versionOf: (instance: Instance) => OperatorVersion | undefined): Invariant {
  return (report) => {
    const executions = new Map<string, Execution[]>();
    const begun = new Set<string>();
    const record = (id: string, execution: Execution): void => {
      const known = executions.get(id) ?? [];
      if (known.some(({ uid }) => uid === execution.uid)) return;
      executions.set(id, [...known, execution]);
    };
    return (fact) => {
      if (fact.fact === 'change' && fact.object.kind === 'Instance' && fact.type !== 'DELETED') {
        const seen = actedUpon(fact.object as Instance);
        const { plan, uid, parameters, operatorVersion } = seen ?? {};
        if (plan !== undefined && uid !== undefined && parameters !== undefined)
          record(fact.object.metadata.uid ?? '', { plan, uid, parameters, version: operatorVersion?.name ?? '' });
        for (const status of Object.values((fact.object as Instance).status?.planStatus ?? {}))
          begun.add(status.uid ?? '');
      }
      if (fact.fact !== 'rest') return;
      const instance = fact.instance as Instance;
      if (hasUnseenChange(instance))
        report(`I6: Instance ${instance.metadata.name} is idle with an edit that the controller did not act upon`);
      const recorded = executions.get(instance.metadata.uid ?? '') ?? [];
      const last = recorded.at(-1);
      if (last !== undefined && !begun.has(last.uid))
        report(
          `I6: Instance ${instance.metadata.name} is idle, but plan ${last.plan} was recorded and never started (${last.uid})`,
        );
      const known = recorded.filter(({ uid }) => begun.has(uid));
      for (const violation of lostValues(instance, versionOf(instance), known)) report(violation);
    };
  };
}

function lostValues(
  instance: Instance,
  version: OperatorVersion | undefined,
  executions: readonly Execution[],
): string[] {
  const [first] = executions;
  if (first === undefined || version === undefined) return [];
  const lost: string[] = [];
  for (const { name, trigger, default: fallback } of version.spec?.parameters ?? []) {
    if (trigger === undefined || trigger === '') continue;
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
