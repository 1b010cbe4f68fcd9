import { planNames } from '@/lib/kudo/names';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import type { Instance, OperatorVersion, Plan, PlanStatus } from '@/lib/kudo/types';
import { lastPlan } from '@/server/packages/await-plan';
import type { Tree } from './output';

/**
 * `plan status` as KUDO shows it: every plan of the version, sorted; the one that runs or ran last with its status, the
 * others as not active. Undefined when no plan ever ran.
 */
export function statusTree(instance: Instance, operatorVersion: OperatorVersion): Tree | undefined {
  const active = lastPlan(instance);
  if (active === undefined) return undefined;
  const activeName = active.name ?? '';
  const versionName = instance.spec?.operatorVersion?.name ?? '';
  const plans = operatorVersion.spec?.plans ?? {};
  const children = planNames(operatorVersion).map((name) =>
    planTree(name, plans[name] ?? {}, name === activeName ? active : undefined),
  );
  const value = `${instance.metadata.name ?? ''} (Operator-Version: "${versionName}" Active-Plan: "${activeName}")`;
  return { value: '.', children: [{ value, children: [...notes(instance), ...children] }] };
}

/** The edit was stored while no webhook answered; nobody has said yet what it means. */
const UNSEEN =
  'ChangeUnseen: a change is stored that no controller has looked at yet; what is shown is from before it (does a controller run?)';

/** What stands in the way of plans, while it does; KUDO had no such lines. */
function notes(instance: Instance): Tree[] {
  const told = (instance.status?.conditions ?? []).filter(
    ({ type, status, reason }) =>
      (status === 'True' && (type === 'Stalled' || type === 'ChangePending')) ||
      (type === 'Ready' && (reason === 'ChangeRefused' || reason === 'DependencyMissing')),
  );
  const lines = told.map(({ type, reason, message }) => `${type === 'Ready' ? reason : type}: ${message}`);
  if (told.length === 0 && hasUnseenChange(instance)) lines.push(UNSEEN);
  return lines.map((value) => ({ value }));
}

const NOT_ACTIVE = 'NOT ACTIVE';

function planTree(name: string, plan: Plan, status: PlanStatus | undefined): Tree {
  const updated = status?.lastUpdatedTimestamp;
  const when =
    updated === undefined || updated === null ? '' : `, last updated ${updated.replace('T', ' ').slice(0, 19)}`;
  const phases = (plan.phases ?? []).map((phase) => {
    const phaseStatus = (status?.phases ?? []).find((each) => each.name === phase.name);
    const steps = (phase.steps ?? []).map((step) => {
      const stepStatus = (phaseStatus?.steps ?? []).find((each) => each.name === step.name);
      return { value: `Step ${step.name} ${state(stepStatus, status)}` };
    });
    return {
      value: `Phase ${phase.name} (${phase.strategy ?? ''} strategy) ${state(phaseStatus, status)}`,
      children: steps,
    };
  });
  return { value: `Plan ${name} (${plan.strategy ?? ''} strategy) ${state(status, status)}${when}`, children: phases };
}

function state(status: { status?: string; message?: string } | undefined, plan: PlanStatus | undefined): string {
  if (plan === undefined) return `[${NOT_ACTIVE}]`;
  const message = status?.message ?? '';
  return `[${status?.status ?? 'NEVER_RUN'}]${message === '' ? '' : ` (${message})`}`;
}

const TERMINAL = new Set<string | undefined>(['COMPLETE', 'FATAL_ERROR']);

/** `plan history`: one entry for each plan in the status; a plan that runs is said to run (C-3 mended). */
export function historyTree(instance: Instance): Tree {
  const plans = Object.entries(instance.status?.planStatus ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return { value: '.', children: plans.map(([name, status]) => ({ value: `${name} (${lastRun(status)})` })) };
}

function lastRun({ status, lastUpdatedTimestamp }: PlanStatus): string {
  if (status === undefined || status === 'NEVER_RUN') return status === undefined ? 'never run' : status;
  if (!TERMINAL.has(status)) return 'is running';
  const when = lastUpdatedTimestamp ?? '';
  return when === '' ? status : `last finished run at ${when.slice(0, 19)} (${status})`;
}
