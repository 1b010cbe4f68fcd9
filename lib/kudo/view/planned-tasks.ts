import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { PlannedTask, PlannedTouch } from './plan-preview';
import { hasSameContent } from './planned-changes';

/** A task with the objects that it names, as rendered. */
export interface RenderedPlace extends Omit<PlannedTask, 'objects'> {
  readonly objects: readonly RenderedTouch[];
  /** What the task writes that is not in its templates: what a pipe makes, and a child Instance. */
  readonly generated: readonly Pick<PlannedTouch, 'kind' | 'name'>[];
}

export interface RenderedTouch {
  /** Equal for the same object of several tasks. */
  readonly id: string;
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

/** What is known of objects before the plan. */
export interface BeforePlan {
  /** Undefined when it does not exist. */
  liveOf(id: string): KubeObject | undefined;
  /** True when applying it changes the live object. */
  isChanged(live: KubeObject, object: KubeObject): boolean;
}

/** What each task does to its objects, one after the other: what a task leaves is what the next one finds. */
export function plannedTasks(places: readonly RenderedPlace[], before: BeforePlan): PlannedTask[] {
  // Undefined: the plan has deleted it.
  const left = new Map<string, KubeObject | undefined>();
  const changeOf = ({ id, object, isDeleted }: RenderedTouch): PlannedTouch['change'] => {
    const isTouched = left.has(id);
    const found = isTouched ? left.get(id) : before.liveOf(id);
    left.set(id, isDeleted ? undefined : object);
    if (isDeleted) return found === undefined ? 'absent' : 'delete';
    if (found === undefined) return 'create';
    const isChanged = isTouched ? !hasSameContent(found, object) : before.isChanged(found, object);
    return isChanged ? 'change' : 'unchanged';
  };
  return places.map(({ objects, generated, ...place }) => {
    const touches = objects.map((touch): PlannedTouch => {
      return { kind: touch.object.kind, name: nameOf(touch.object), change: changeOf(touch) };
    });
    const made = generated.map((object) => ({ ...object, change: 'unknown' as const }));
    return { ...place, objects: [...touches, ...made] };
  });
}
