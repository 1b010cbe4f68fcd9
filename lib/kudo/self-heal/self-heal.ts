import type { KubeObject } from '@/lib/kube/object';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';

/**
 * True when the objects of an Instance are to be repaired: its own annotation `bravo.kudo.dev/self-heal` decides (`on`, or
 * anything else for off); without one, that of its OperatorVersion. Off when neither says so, as in KUDO.
 */
export function isSelfHealing(
  instance: Pick<KubeObject, 'metadata'>,
  operatorVersion: Pick<KubeObject, 'metadata'> | undefined,
): boolean {
  const own = instance.metadata.annotations?.[SELF_HEAL_ANNOTATION];
  return (own ?? operatorVersion?.metadata.annotations?.[SELF_HEAL_ANNOTATION]) === 'on';
}
