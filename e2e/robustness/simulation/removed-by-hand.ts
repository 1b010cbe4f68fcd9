import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { entriesOf, inventoryOf } from '@/lib/kudo/inventory/inventory';
import { EXECUTION_UID_ANNOTATION, PIPE_POD_SUFFIX } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';

/** What users deleted by hand, and what follows from it: what may be created once more, and what nobody can create again. */
export class RemovedByHand {
  private readonly places = new Set<string>();
  /** Artifacts of pipes that were deleted before the controller stored what their execution left, and the pods that made them. */
  private readonly duringRun = new Set<string>();

  /** Called before a user deletes an object of the Instance. */
  note(object: KubeObject, instance: Instance): void {
    this.places.add(placeOf(object));
    const uid = object.metadata.annotations?.[EXECUTION_UID_ANNOTATION];
    const pod = pipePodOf(object);
    if (uid === undefined || pod === undefined || isStored(object, instance, uid)) return;
    this.duringRun.add(`${placeOf(object)} ${uid}`).add(`${pod} ${uid}`);
  }

  /**
   * True for an object that one execution may create twice: a user deleted it, or a file of this pod that the running execution had copied.
   * The pod is deleted as soon as its files are copied, so another one has to write them again.
   */
  mayReturn(object: KubeObject): boolean {
    const uid = object.metadata.annotations?.[EXECUTION_UID_ANNOTATION] ?? '';
    return (
      this.places.has(placeOf(object)) || (object.kind === 'Pod' && this.duringRun.has(`${placeOf(object)} ${uid}`))
    );
  }

  /**
   * True for a file of a pod, when a user deleted the copy of an execution that had not ended. The pod is deleted before the content is
   * stored for self-heal, so nobody knows it.
   */
  isLost(object: { readonly kind: string; readonly namespace: string; readonly name: string }, uid: string): boolean {
    return this.duringRun.has(`${object.kind} ${object.namespace}/${object.name} ${uid}`);
  }
}

/** The inventory has what this execution left. */
function isStored(object: KubeObject, instance: Instance, uid: string): boolean {
  const inventory = inventoryOf(instance);
  const entries = inventory === undefined ? [] : entriesOf(inventory);
  return entries.some(
    ({ entry, run }) => run.uid === uid && entry.kind === object.kind && entry.name === nameOf(object),
  );
}

function placeOf(object: KubeObject): string {
  return `${object.kind} ${namespaceOf(object)}/${nameOf(object)}`;
}

/** The pod that made an artifact of a pipe, by `pipeObjectName`; undefined for any other object: no template uses such a name. */
function pipePodOf(object: KubeObject): string | undefined {
  const parts = nameOf(object).split('.');
  if (parts.length !== PARTS_OF_PIPE_NAME) return undefined;
  return `Pod ${namespaceOf(object)}/${[...parts.slice(0, -1), PIPE_POD_SUFFIX].join('.')}`;
}

/** Instance, plan, phase, step, task and key. */
const PARTS_OF_PIPE_NAME = 6;
