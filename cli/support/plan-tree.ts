import { planNames } from '@/lib/kudo/names';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { heldDeletion } from '@/lib/kudo/plan/held-deletion';
import type { Instance, OperatorVersion, Plan, PlanStatus } from '@/lib/kudo/types';
import { healthView, verdictWord } from '@/lib/kudo/view/health-view';
import { awaitedPlan } from '@/server/packages/await-plan';
import type { Tree } from './output';

/**
 * `plan status` as KUDO shows it: every plan of the version, sorted; the one that runs or ran last with its status, the
 * others as not active. Undefined when no plan ever ran.
 */
export function statusTree(instance: Instance, operatorVersion: OperatorVersion): Tree | undefined {
  const active = awaitedPlan(instance);
  if (active === undefined) return undefined;
  const activeName = active.name ?? '';
  const versionName = instance.spec?.operatorVersion?.name ?? '';
  const plans = operatorVersion.spec?.plans ?? {};
  const children = planNames(operatorVersion).map((name) =>
    planTree(name, plans[name] ?? {}, name === activeName ? active : undefined),
  );
  const value = `${instance.metadata.name ?? ''} (Operator-Version: "${versionName}" Active-Plan: "${activeName}")`;
  const health = healthTree(instance, operatorVersion);
  return { value: '.', children: [{ value, children: [...notes(instance), ...health, ...children] }] };
}

/** The API server stored the edit while no webhook answered, and no controller has decided about it yet. */
const UNSEEN =
  'ChangeUnseen: no controller has seen the last change yet. The status is from before the change. Check that a controller runs.';

/** What holds up plans, or the deletion. KUDO had no such lines. */
function notes(instance: Instance): Tree[] {
  const conditions = (instance.status?.conditions ?? []).filter(
    ({ type, status, reason }) =>
      (status === 'True' && (type === 'Stalled' || type === 'ChangePending')) ||
      (type === 'Ready' && (reason === 'ChangeRefused' || reason === 'DependencyMissing')),
  );
  const lines = conditions.map(({ type, reason, message }) => `${type === 'Ready' ? reason : type}: ${message}`);
  if (conditions.length === 0 && hasUnseenChange(instance)) lines.push(UNSEEN);
  const held = heldDeletion(instance);
  if (held !== undefined) lines.push(held.message);
  return lines.map((value) => ({ value }));
}

/** The health checks that the operator declares. KUDO had none. */
function healthTree(instance: Instance, operatorVersion: OperatorVersion): Tree[] {
  const health = healthView(instance, operatorVersion);
  if (health === undefined) return [];
  const children = health.checks.map((check) => {
    const { title, message, pod } = check;
    const text = `${message}${pod === '' ? '' : ` on ${pod}`}`;
    return { value: `${title} [${verdictWord(check)}]${text === '' ? '' : ` (${text})`}` };
  });
  return [{ value: health.note === '' ? 'Health checks' : `Health checks: ${health.note}`, children }];
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
