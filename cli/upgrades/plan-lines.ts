import { advisoryWords } from '@/lib/kudo/upgrades/advisory-words';
import { releaseName } from '@/lib/kudo/upgrades/find-path';
import type { NamedVersion } from '@/lib/kudo/upgrades/upgrade-plan';
import { CHECK_TITLES, isBlocked, type UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { formatTable } from '../support/output';
import { differenceLines } from '../support/preview-lines';

/** What an upgrade would do, for a terminal. */
export function planLines(plan: UpgradePlan): string[] {
  const { namespace, instance, operator, installed, target, withdrawn } = plan;
  const to = target === undefined ? 'there is no newer version' : `→ ${releaseName(target)}`;
  return [
    `Instance ${namespace}/${instance}: ${operator} ${releaseName(installed)} ${to}`,
    ...(withdrawn === undefined ? [] : [`Version ${releaseName(installed)} was withdrawn: ${withdrawn}`]),
    ...section('Advisories of the installed version:', plan.advisories.map(advisoryWords)),
    ...section('Path:', pathLines(plan)),
    ...section('Checks:', checkLines(plan)),
    ...section('Parameters:', parameterLines(plan)),
    ...section('Plans:', plan.plans.flatMap(planDifferenceLines)),
    ...section('Objects:', objectLines(plan)),
    ...section('Pods:', plan.restarts),
    ...(plan.steps.length === 0 ? [] : [isBlocked(plan) ? 'The upgrade cannot start now.' : 'The upgrade can start.']),
  ];
}

/** One row for each Instance. */
export function planTable(plans: readonly UpgradePlan[]): string {
  const header = ['INSTANCE', 'INSTALLED', 'PATH', 'PLANS', 'STATE', 'PROBLEM'];
  const rows = plans.map((plan) => [
    plan.instance,
    releaseName(plan.installed),
    plan.steps.map(releaseName).join(' → '),
    plan.steps.map((step) => step.plan ?? '').join(', '),
    stateOf(plan),
    plan.checks.find(({ state }) => state === 'blocked')?.message ?? '',
  ]);
  return formatTable([header, ...rows]);
}

function stateOf(plan: UpgradePlan): string {
  if (isBlocked(plan)) return 'blocked';
  return plan.steps.length === 0 ? 'current' : 'ready';
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function pathLines({ installed, steps }: UpgradePlan): string[] {
  let from: NamedVersion = installed;
  return steps.map((step) => {
    const plan = step.plan === undefined ? 'no plan starts' : `plan ${step.plan}`;
    const line = `${releaseName(from)} → ${releaseName(step)}: ${plan}${step.isDestructive ? ', which deletes or replaces data' : ''}`;
    from = step;
    return line;
  });
}

function checkLines({ checks }: UpgradePlan): string[] {
  const rows = checks.map(({ check, state, message }) => [CHECK_TITLES[check], state, message]);
  return rows.length === 0
    ? []
    : formatTable(rows)
        .split('\n')
        .map((line) => line.trimEnd());
}

function parameterLines({ parameters }: UpgradePlan): string[] {
  if (parameters.length === 0) return [];
  const text = (value: string | undefined) =>
    value === undefined ? '-' : value === '' ? '""' : value.replace(/\n/g, '⏎');
  const rows = parameters.map(({ name, change, defaultBefore, now, next, notes, problem }) => [
    name,
    change,
    text(defaultBefore),
    text(now),
    text(next),
    [...notes, ...(problem === undefined ? [] : [problem])].join('; '),
  ]);
  const table = formatTable([['NAME', 'CHANGE', 'DEFAULT', 'NOW', 'NEW', 'NOTES'], ...rows]);
  return table.split('\n').map((line) => line.trimEnd());
}

function planDifferenceLines({
  plan,
  change,
  added,
  removed,
  changed,
  isReordered,
}: UpgradePlan['plans'][number]): string[] {
  return [
    `${plan} is ${change}`,
    ...removed.map((line) => `  - ${line}`),
    ...added.map((line) => `  + ${line}`),
    ...changed.map((line) => `  ~ ${line}`),
    ...(isReordered ? ['  ~ the order or the strategy of its steps'] : []),
  ];
}

const CHANGES = { create: 'is created', change: 'changes', delete: 'is deleted' } as const;

function objectLines({ objects, unchanged, leftOver }: UpgradePlan): string[] {
  return [
    ...objects.flatMap((object) => {
      const [, ...lines] = differenceLines(object);
      return [`${object.kind} ${object.name} ${CHANGES[object.change]}`, ...lines];
    }),
    ...(unchanged === 0 ? [] : [`${unchanged} without a difference`]),
    ...leftOver.map((name) => `${name} stays, although the new version does not apply it`),
  ];
}
