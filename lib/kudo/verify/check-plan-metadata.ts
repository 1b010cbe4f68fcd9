import { limits } from '@/lib/limits/limits';
import { parseTemplate, TemplateError } from '@/lib/template/template';
import { CLEANUP_PLAN } from '../names';
import { BACKUP_ACTS, formatPlanMetadata, PLAN_ICONS, type PlanMetadata } from '../plan-metadata/plan-metadata';
import { compilePrecondition, namedMembers } from '../plan-metadata/precondition-expression';
import { backupParameterOf } from '../runs/backup-plans';
import type { Report } from './report';

const MAX_GROUP_CHARS = 63;

/** Bravo's own checks of what plans say beside their phases: each name exists, each expression compiles, nothing is too large. */
export function checkPlanMetadata(report: Report): void {
  const { planMetadata = {} } = report.pkg.operator;
  for (const [plan, metadata] of Object.entries(planMetadata)) {
    checkTexts(report, plan, metadata);
    checkParameters(report, plan, metadata);
    checkObjects(report, plan, metadata);
    checkPreconditions(report, plan, metadata);
    checkConcurrency(report, plan, metadata);
    checkBackups(report, plan, metadata);
  }
  const bytes = new TextEncoder().encode(formatPlanMetadata(planMetadata)).length;
  if (bytes <= limits.planMetadataBytes) return;
  report.error(
    report.operatorLine('plans'),
    `what plans say beside their phases has ${bytes} bytes; at most ${limits.planMetadataBytes} are kept`,
  );
}

function checkTexts(report: Report, plan: string, { displayName, description, confirm, icon }: PlanMetadata) {
  for (const [key, text] of Object.entries({ displayName, description, confirm })) {
    if (text === undefined || text.length <= limits.planMetadataTextChars) continue;
    const message = `"${key}" of plan "${plan}" is longer than ${limits.planMetadataTextChars} characters`;
    report.error(report.operatorLine('plans', plan, key), message);
  }
  if (icon !== undefined && !PLAN_ICONS.includes(icon)) {
    const message = `icon "${icon}" of plan "${plan}" is unknown and not shown; known are ${PLAN_ICONS.join(', ')}`;
    report.warn(report.operatorLine('plans', plan, 'icon'), message);
  }
}

function checkParameters(report: Report, plan: string, { parameters = [] }: PlanMetadata): void {
  checkCount(report, plan, 'parameters', parameters.length);
  const known = new Set(report.pkg.parameters.map(({ name }) => name));
  parameters.forEach((name, index) => {
    if (known.has(name)) return;
    report.error(
      report.operatorLine('plans', plan, 'parameters', index),
      `parameter "${name}" of plan "${plan}" is not defined`,
    );
  });
}

function checkObjects(report: Report, plan: string, { objects = [] }: PlanMetadata): void {
  checkCount(report, plan, 'objects', objects.length);
  const seen = new Set<string>();
  objects.forEach((object, index) => {
    const problem = (message: string) =>
      report.error(report.operatorLine('plans', plan, 'objects', index), `object of plan "${plan}": ${message}`);
    for (const key of ['name', 'apiVersion', 'kind', 'objectName'] as const) {
      if (object[key] === '') problem(`"${key}" is missing`);
    }
    if (object.name !== '' && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(object.name)) {
      problem(`"${object.name}" cannot be used in expressions; a name has letters, digits and _`);
    }
    if (seen.has(object.name)) problem(`"${object.name}" has a duplicate`);
    seen.add(object.name);
    try {
      parseTemplate(object.name, object.objectName);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      problem(`"objectName" is no template: ${error.goMessage}`);
    }
  });
}

function checkPreconditions(report: Report, plan: string, { preconditions = [], objects = [] }: PlanMetadata): void {
  checkCount(report, plan, 'preconditions', preconditions.length);
  const parameters = new Set(report.pkg.parameters.map(({ name }) => name));
  const declared = new Set(objects.map(({ name }) => name));
  preconditions.forEach(({ expression, message }, index) => {
    const problem = (text: string) =>
      report.error(
        report.operatorLine('plans', plan, 'preconditions', index),
        `precondition of plan "${plan}": ${text}`,
      );
    if (message === '') problem('"message" is missing');
    if (message.length > limits.planMetadataTextChars) {
      problem(`"message" is longer than ${limits.planMetadataTextChars} characters`);
    }
    const found = expression === '' ? '"expression" is missing' : compilePrecondition(expression).problem;
    if (found !== undefined) problem(found);
    if (found !== undefined) return;
    for (const name of namedMembers(expression, 'params')) {
      if (!parameters.has(name)) problem(`parameter "${name}" is not defined`);
    }
    for (const name of namedMembers(expression, 'objects')) {
      if (!declared.has(name)) problem(`object "${name}" is not one of "objects"`);
    }
  });
}

function checkConcurrency(report: Report, plan: string, { concurrency }: PlanMetadata): void {
  if (concurrency === undefined) return;
  const problem = (message: string) =>
    report.error(report.operatorLine('plans', plan, 'concurrency'), `concurrency of plan "${plan}": ${message}`);
  const { group, limit } = concurrency;
  if (group === '' || group.length > MAX_GROUP_CHARS) problem(`"group" must have 1 to ${MAX_GROUP_CHARS} characters`);
  if (limit < 1) problem('"limit" must be 1 or more');
  if (plan === CLEANUP_PLAN) problem('a deletion waits for no other run');
  const { planMetadata = {} } = report.pkg.operator;
  const isOther = (other: PlanMetadata) => other.concurrency?.group === group && other.concurrency.limit !== limit;
  if (group !== '' && Object.values(planMetadata).some(isOther)) problem(`group "${group}" has more than one limit`);
}

/** The console and the command line start such a plan with the name of a backup. */
function checkBackups(report: Report, plan: string, { backups, parameters = [], destructive }: PlanMetadata): void {
  if (backups === undefined) return;
  const problem = (message: string) => report.error(report.operatorLine('plans', plan, 'backups'), message);
  if (!BACKUP_ACTS.includes(backups)) {
    problem(`"backups" of plan "${plan}" is "${backups}"; it must be ${BACKUP_ACTS.join(', ')}`);
    return;
  }
  if (backups === 'create') return;
  const said = `plan "${plan}" has "backups: ${backups}"`;
  const isPicked = (name: string) =>
    report.pkg.parameters.some((each) => each.name === name && each.picker === 'backup');
  if (backupParameterOf(parameters, isPicked) === undefined) {
    problem(`${said}, but none of its "parameters" names a backup; give that parameter "picker: backup"`);
  }
  if (backups === 'delete' && destructive !== true) problem(`${said}, so it must have "destructive: true"`);
  const first = Object.entries(report.pkg.operator.planMetadata ?? {}).find(([, each]) => each.backups === backups);
  if (first?.[0] === plan) return;
  report.warn(
    report.operatorLine('plans', plan, 'backups'),
    `${said}, but plan "${first?.[0]}" is the one that is used`,
  );
}

function checkCount(report: Report, plan: string, key: string, count: number): void {
  if (count <= limits.planMetadataEntries) return;
  const message = `"${key}" of plan "${plan}" has ${count} entries; at most ${limits.planMetadataEntries} are read`;
  report.error(report.operatorLine('plans', plan, key), message);
}
