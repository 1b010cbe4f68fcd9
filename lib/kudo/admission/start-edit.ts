import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type InstanceEdit, planForChange } from './triggers';

/** A plan to start, with values that are stored with its start. */
export interface PlanStartEdit {
  readonly plan: string;
  readonly parameters: { readonly [name: string]: string | null };
}

/** The edit that starts the plan: the values alone when these start it by themselves, else both. */
export function startEdit(
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
  { plan, parameters }: PlanStartEdit,
): InstanceEdit {
  const isEdit = planForChange(instance, operatorVersion, { parameters }).plan === plan;
  return isEdit ? { parameters } : { plan, parameters };
}
