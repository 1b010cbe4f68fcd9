import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';

/**
 * True for what a page of an Instance follows: an object with its label (`names[0]`), and an event about an object of one of the
 * names, or of a name that begins with one and a dash (pods, jobs and claims are named so by their controllers).
 */
export function belongsTo(object: KubeObject, names: readonly string[]): boolean {
  const about = stringAt(object, 'involvedObject', 'name');
  if (about === undefined) return object.metadata.labels?.[INSTANCE_LABEL] === names[0];
  return names.some((name) => about === name || about.startsWith(`${name}-`));
}
