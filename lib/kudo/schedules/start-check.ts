import { nameOf } from '@/lib/kube/object';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { isDeleting, scheduledPlan } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import type { PlanScheduleSpec } from './plan-schedule';

/** True when the Instance has begun that execution, or is to begin it. */
export function namesExecution(instance: Instance, plan: string, uid: string): boolean {
  const { planExecution } = instance.spec ?? {};
  const record = actedUpon(instance);
  const named = [planExecution?.uid, record?.uid, record?.before?.uid, instance.status?.planStatus?.[plan]?.uid];
  return named.includes(uid);
}

/** Why an Instance takes no plan now, in one sentence; undefined when it is idle. */
export function whyBusy(instance: Instance): string | undefined {
  const running = scheduledPlan(instance);
  if (running !== undefined) return `Instance ${nameOf(instance)} runs plan ${running.plan}.`;
  if (instance.status?.planStatus === undefined) return `Instance ${nameOf(instance)} has not begun its first plan.`;
  return undefined;
}

/** Why a slot can never start on that Instance, in one sentence. */
export function whyGone(instance: Instance | undefined, name: string): string | undefined {
  if (instance === undefined) return `Instance ${name} does not exist.`;
  return isDeleting(instance) ? `Instance ${name} is being deleted.` : undefined;
}

/** Why the start that was previewed is refused, in one sentence; undefined when it may be written. */
export function whyRefused(spec: PlanScheduleSpec, preview: ChangePreview): string | undefined {
  const { plan = '', confirm = '' } = spec;
  if (preview.outcome === 'refused') return sentence(preview.message ?? `Plan ${plan} was refused`);
  if (preview.outcome !== 'runs' || preview.plan === undefined) return `Plan ${plan} would not start.`;
  if (preview.plan !== plan) return `The parameters start plan ${preview.plan} instead of plan ${plan}.`;
  if (preview.confirmation !== undefined && confirm !== preview.confirmation) {
    return `Plan ${plan} deletes or replaces data. To confirm each of its starts, set spec.confirm to ${preview.confirmation}.`;
  }
  return undefined;
}

function sentence(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
