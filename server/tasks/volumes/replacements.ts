import { type KubeObject, namespacedName } from '@/lib/kube/object';

/** Objects that a run has deleted to create them again, by {@link replacementKey}: as they are to be created. */
export type Replacements = Map<string, KubeObject>;

export function replacementKey(object: KubeObject): string {
  return `${object.kind} ${namespacedName(object)}`;
}
