import { parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { instanceOfRun } from '@/lib/kudo/plan/run-inputs';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { pipeNames } from '@/lib/kudo/rendering/pipe-names';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import type { Instance } from '@/lib/kudo/types';
import type { RunContext } from '@/server/inventory/left-by-plan';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import type { TaskContext } from '@/server/tasks/context';
import { keyOf } from './instance-store';
import type { ReconcilerDeps } from './reconciler-deps';
import { podsOf } from './resource-health';

/**
 * What the tasks of a run work with.
 * @throws RenderError for parameters and pipes that no plan can begin with
 */
export function runContextOf(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory,
): RunContext {
  const { operatorVersion } = memory;
  const plan = operatorVersion.spec?.plans?.[scheduled.plan] ?? {};
  const tasks = operatorVersion.spec?.tasks ?? [];
  const seen = actedUpon(instance);
  const startedAt = seen?.uid === scheduled.uid ? parseTime(seen.startedAt) : undefined;
  const created = parseTime(instance.metadata.creationTimestamp);
  const finishedBefore = Object.values(instance.status?.planStatus ?? {}).some(({ status }) => status === 'COMPLETE');
  const hasBegun = instance.status?.planStatus?.[scheduled.plan]?.uid === scheduled.uid;
  const begun = instanceOfRun(instance, deps.fingerprints, memory.inputs);
  return {
    api: deps.api,
    kinds: deps.kinds,
    clock: deps.clock,
    log: deps.log,
    instance: begun,
    operatorVersion,
    parameters: unwrapParameters(operatorVersion, begun.spec?.parameters),
    pipes: pipeNames(nameOf(instance), scheduled.plan, plan, tasks),
    plan: scheduled.plan,
    uid: scheduled.uid,
    startedAtMs: startedAt ?? created ?? 0,
    memory,
    pipePods: deps.pipePods,
    renderTexts: deps.renderTexts,
    fingerprints: deps.fingerprints,
    written: deps.written,
    isFirstPlan: !finishedBefore && !hasBegun && scheduled.plan !== 'cleanup',
    awaits: (object) => {
      const type = deps.kinds.known(object.apiVersion, object.kind);
      if (type === undefined) return;
      const { group, version, resource, namespaced } = type;
      const target = { group, version, resource, name: nameOf(object) };
      const where = namespaced ? { namespace: namespaceOf(object) } : {};
      deps.watches.objects.alsoNeeds(keyOf(instance), { ...target, ...where });
    },
    podsOf: (object: Parameters<TaskContext['podsOf']>[0]) => podsOf(deps.watches, object),
  };
}
