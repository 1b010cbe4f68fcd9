import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { planMetadataOf } from './plan-metadata';

/**
 * The confirmation of a destructive plan: the annotation `bravo.kudo.dev/confirm: PLAN/INSTANCE` on the Instance, in the write that
 * starts the plan or before it. The write that starts the plan takes the annotation off, so that one confirmation is one start; a
 * run that continues, after an error or a restart, needs none. An Instance that is created confirms its first `deploy`, and one that
 * is deleted its `cleanup`: both name the object, and neither happens by itself.
 */
export function confirmationText(plan: string, instance: string): string {
  return `${plan}/${instance}`;
}

/** True for a plan that deletes or replaces data by its own account. */
export function isDestructive(operatorVersion: OperatorVersion | undefined, plan: string): boolean {
  return planMetadataOf(operatorVersion, plan).destructive === true;
}

/** True when the annotation on the Instance names this plan and this Instance. */
export function isConfirmed({ metadata }: Instance, plan: string): boolean {
  return metadata.annotations?.[CONFIRM_ANNOTATION] === confirmationText(plan, metadata.name ?? '');
}

/** The Instance with the confirmation of a plan. */
export function withConfirmation(instance: Instance, plan: string): Instance {
  const text = confirmationText(plan, instance.metadata.name ?? '');
  const annotations = { ...instance.metadata.annotations, [CONFIRM_ANNOTATION]: text };
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/** The Instance without the confirmation that a start of the plan used up. The same object when it has none. */
export function withoutConfirmation(instance: Instance, plan: string): Instance {
  if (!isConfirmed(instance, plan)) return instance;
  const { [CONFIRM_ANNOTATION]: _, ...annotations } = instance.metadata.annotations ?? {};
  const { annotations: _all, ...metadata } = instance.metadata;
  return { ...instance, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}

/** Why a destructive plan does not start without its confirmation, and the command that gives it. */
export function confirmationRefusal(
  { metadata }: Instance,
  plan: string,
  operatorVersion: OperatorVersion | undefined,
): string {
  const { namespace = '', name = '' } = metadata;
  const { confirm = '' } = planMetadataOf(operatorVersion, plan);
  const what = confirm === '' ? '' : ` ${confirm}`;
  const command = `kubectl annotate --overwrite -n ${namespace} instances.kudo.dev ${name} ${CONFIRM_ANNOTATION}=${confirmationText(plan, name)}`;
  return `plan "${plan}" of Instance ${name} deletes or replaces data, and was not confirmed.${what} To confirm it once, run \`${command}\`, and start the plan again`;
}
