import type { KubeObject } from '@/lib/kube/object';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';

/**
 * Stands in shown Instances in the place of what the controller noted down, when version or parameters were changed since: the
 * edit was accepted, and no plan has taken it up yet.
 */
export const UNSEEN_MARK = '‹changed since›';

/** True for an Instance, as it is shown, with an edit that no plan has taken up yet. */
export function hasAcceptedEdit(object: KubeObject): boolean {
  return object.metadata.annotations?.[ACTED_UPON_ANNOTATION] === UNSEEN_MARK;
}
