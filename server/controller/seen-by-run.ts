import {
  fingerprintsOf,
  formatSeenInputs,
  SEEN_INPUTS_ANNOTATION,
  seenInputs,
  watchedInputs,
} from '@/lib/kudo/live-values/seen-inputs';
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
export async function withSeenInputs(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory | undefined,
): Promise<Instance> {
  if (memory === undefined) return instance;
  const { operatorVersion } = memory;
  const before = seenInputs(instance);
  const seen: { [key: string]: string } = {};
  const plan = operatorVersion.spec?.plans?.[scheduled.plan] ?? {};
  for (const { task, ...place } of tasksOf(plan, operatorVersion.spec?.tasks ?? [])) {
    if (watchedInputs(operatorVersion, task).length === 0) continue;
    const live = (await memory.known(memoryKey(place, task)))?.live;
    if (live === undefined) continue;
    const begun = runContextOf(deps, instance, scheduled, memory).instance;
    Object.assign(seen, fingerprintsOf(task, { instance: begun, operatorVersion, live }, deps.fingerprints));
  }
  if (Object.keys(seen).length + Object.keys(before).length === 0) return instance;
  const { [SEEN_INPUTS_ANNOTATION]: _, ...annotations } = instance.metadata.annotations ?? {};
  const text = formatSeenInputs(operatorVersion, before, seen);
  const now = text === undefined ? annotations : { ...annotations, [SEEN_INPUTS_ANNOTATION]: text };
  return { ...instance, metadata: { ...instance.metadata, annotations: now } };
}
