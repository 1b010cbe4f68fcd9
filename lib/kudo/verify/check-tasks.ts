import { DEPLOY_PLAN } from '../names';
import type { PipeSpec, Task } from '../types';
import type { Report } from './report';

/** Each task has the fields that its kind requires; only the first problem of a task is reported. */
export function checkTasks(report: Report): void {
  const names = new Set<string>();
  report.pkg.operator.tasks.forEach((task, index) => {
    const problem = taskProblem(task);
    if (problem !== undefined) report.error(report.operatorLine('tasks', index), problem);
    if (names.has(task.name)) report.error(report.operatorLine('tasks', index), `task "${task.name}" has a duplicate`);
    names.add(task.name);
  });
}

function taskProblem({ name, kind, spec = {} }: Task): string | undefined {
  const dummy = "if that's what you need, use a Dummy task instead";
  const noResources = (spec.resources ?? []).length === 0;
  switch (kind) {
    case 'Apply':
    case 'Delete':
      return noResources
        ? invalid(`${kind.toLowerCase()} task '${name}' has an empty resource list. ${dummy}`)
        : undefined;
    case 'Toggle':
      if (noResources) return invalid(`toggle task has an empty resource list. ${dummy}`);
      return (spec.parameter ?? '') === '' ? invalid('Missing parameter to evaluate the Toggle Task') : undefined;
    case 'Pipe':
      if ((spec.pipe ?? []).length === 0) return invalid('pipe task has an empty pipe files list');
      return firstOf((spec.pipe ?? []).map(pipeProblem));
    case 'KudoOperator':
      return (spec.package ?? '') === ''
        ? invalid(`kudo operator task '${name}' has an empty package name`)
        : undefined;
    case 'Dummy':
      return undefined;
    default:
      return `unknown task kind ${kind}`;
  }
}

function pipeProblem(pipe: PipeSpec): string | undefined {
  const { file = '', envFile = '', kind = '', key = '' } = pipe;
  const shown = `{${file} ${envFile} ${kind} ${key}}`;
  if ((file === '') === (envFile === '')) {
    return invalid(`pipe file ${shown} must have either 'file' or 'envFile' field set but not both`);
  }
  if (kind !== 'Secret' && kind !== 'ConfigMap') {
    return invalid(`invalid pipe kind (must be Secret or ConfigMap): ${shown}`);
  }
  return /^[a-zA-Z0-9_-]+$/.test(key)
    ? undefined
    : invalid(`invalid pipe key (only letters, numbers and _ and - are allowed): ${shown}`);
}

function invalid(message: string): string {
  return `task validation error: ${message}`;
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** Plans use tasks that exist, and every task is used. */
export function checkTaskReferences(report: Report): void {
  const { tasks, plans } = report.pkg.operator;
  const known = new Set(tasks.map((task) => task.name));
  const used = new Set<string>();
  for (const [plan, { phases }] of Object.entries(plans)) {
    (phases ?? []).forEach((phase, p) => {
      (phase.steps ?? []).forEach((step, s) => {
        (step.tasks ?? []).forEach((task, t) => {
          used.add(task);
          if (known.has(task)) return;
          const place = report.operatorLine('plans', plan, 'phases', p, 'steps', s, 'tasks', t);
          const message = `task "${task}" in plan "${plan}" is not defined`;
          report.error(place, message, { rule: 'undefined-task', subject: task });
        });
      });
    });
  }
  tasks.forEach(({ name }, index) => {
    if (used.has(name)) return;
    const about = { rule: 'unused-task', subject: name };
    report.warn(report.operatorLine('tasks', index), `task "${name}" defined but not used`, about);
  });
}

/** Triggers name plans that exist, and the plan `deploy` exists. */
export function checkPlans(report: Report): void {
  const { plans } = report.pkg.operator;
  for (const parameter of report.pkg.parameters) {
    const { trigger } = parameter;
    if (trigger === undefined || trigger === '' || Object.hasOwn(plans, trigger)) continue;
    const message = `plan "${trigger}" used in parameter "${parameter.name}" is not defined`;
    report.error(report.parameterLine(parameter), message);
  }
  if (!Object.hasOwn(plans, DEPLOY_PLAN)) {
    report.error(report.operatorLine('plans'), "an operator is required to have 'deploy' plan");
  }
}

/** Bravo's own checks: what the engine accepts and a person would not expect. */
export function checkPlanShapes(report: Report): void {
  for (const [plan, { strategy, phases }] of Object.entries(report.pkg.operator.plans)) {
    warnOfStrategy(report, ['plans', plan], strategy);
    const phaseNames = new Set<string>();
    (phases ?? []).forEach((phase, p) => {
      const path = ['plans', plan, 'phases', p];
      warnOfStrategy(report, path, phase.strategy);
      warnOfDuplicate(report, path, phaseNames, `phase "${phase.name}" in plan "${plan}"`);
      const stepNames = new Set<string>();
      (phase.steps ?? []).forEach((step, s) => {
        const label = `step "${step.name}" in phase "${phase.name}" of plan "${plan}"`;
        warnOfDuplicate(report, [...path, 'steps', s], stepNames, label);
      });
    });
  }
}

function warnOfStrategy(report: Report, path: (string | number)[], strategy: string | undefined): void {
  if (strategy === undefined || strategy === '' || strategy === 'serial' || strategy === 'parallel') return;
  report.warn(
    report.operatorLine(...path),
    `strategy "${strategy}" is neither "serial" nor "parallel"; the engine treats it as "parallel"`,
  );
}

function warnOfDuplicate(report: Report, path: (string | number)[], seen: Set<string>, label: string): void {
  if (seen.has(label)) report.warn(report.operatorLine(...path), `${label} has a duplicate: they share one status`);
  seen.add(label);
}
