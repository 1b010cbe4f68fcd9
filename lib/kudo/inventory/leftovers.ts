import type { KubeObject } from '@/lib/kube/object';
import { PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import { entriesOf, type Inventory, inventoryKey, keyOfObject } from './inventory';
import { type RenderedNames, volatilePlace } from './rendered-names';

/**
 * Which of the objects that an Instance was given no template renders any more: not with the present parameters, in no plan,
 * and not by the last plans either. What is on its way out counts as gone.
 */
export function leftoversAmong(
  objects: readonly KubeObject[],
  names: RenderedNames,
  inventory: Inventory | undefined,
): KubeObject[] {
  const left = new Set(entriesOf(inventory ?? { runs: [] }).map(({ entry }) => inventoryKey(entry)));
  return objects.filter((object) => {
    if ((object.metadata.deletionTimestamp ?? '') !== '') return false;
    const key = keyOfObject(object);
    return !names.keys.has(key) && !left.has(key) && !names.volatile.has(placeOf(object));
  });
}

function placeOf(object: KubeObject): string {
  const annotations = object.metadata.annotations ?? {};
  const place = {
    plan: annotations[PLAN_ANNOTATION] ?? '',
    phase: annotations[PHASE_ANNOTATION] ?? '',
    step: annotations[STEP_ANNOTATION] ?? '',
  };
  return volatilePlace(place, object.kind);
}
