import type { KubeObject } from '@/lib/kube/object';
import { PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import { entriesOf, type Inventory, inventoryKey, keyOfObject } from './inventory';
import { type RenderedNames, volatilePlace } from './rendered-names';

/**
 * The objects of an Instance that no template renders any more: in no plan, with the present parameters, and that the last plans did
 * not apply either. Objects that are being deleted do not count.
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
