import {
  fingerprintsOf,
  formatSeenObjects,
  SEEN_OBJECTS_ANNOTATION,
  seenObjects,
  triggeringReads,
} from '@/lib/kudo/live-values/seen-objects';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { tasksOf } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import { memoryKey } from '@/server/tasks/context';
import type { ReconcilerDeps } from './reconciler-deps';
import { runContextOf } from './run-context';

/**
 * The Instance with what its run has seen of objects whose change starts a plan. A task that was not rendered has seen nothing, and what is
 * not remembered any more stays as an earlier run has seen it.
 */
export async function withSeenObjects(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory | undefined,
): Promise<Instance> {
  if (memory === undefined) return instance;
  const { operatorVersion } = memory;
  const tasks = new Set(triggeringReads(operatorVersion).map(({ task }) => task));
  const before = seenObjects(instance);
  if (tasks.size === 0 && Object.keys(before).length === 0) return instance;
  const seen: { [key: string]: string } = {};
  const plan = operatorVersion.spec?.plans?.[scheduled.plan] ?? {};
  for (const { task, ...place } of tasksOf(plan, operatorVersion.spec?.tasks ?? [])) {
    if (!tasks.has(task.name)) continue;
    const rendered = await memory.known(memoryKey(place, task));
    if (rendered?.live === undefined) continue;
    const begun = runContextOf(deps, instance, scheduled, memory).instance;
    Object.assign(
      seen,
      fingerprintsOf(task, { instance: begun, operatorVersion, objects: rendered.live }, deps.fingerprints),
    );
  }
  const { [SEEN_OBJECTS_ANNOTATION]: _, ...annotations } = instance.metadata.annotations ?? {};
  const text = formatSeenObjects(operatorVersion, before, seen);
  return {
    ...instance,
    metadata: {
      ...instance.metadata,
      annotations: text === undefined ? annotations : { ...annotations, [SEEN_OBJECTS_ANNOTATION]: text },
    },
  };
}
