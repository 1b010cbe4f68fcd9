import { messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { parseTemplate, TemplateError } from '@/lib/template/template';
import { compileCel, evaluate, TEMPLATE_VARIABLES } from '../own-kinds/expression';
import { readExpression } from '../own-kinds/expression-text';
import { storageVersionOf } from '../own-kinds/names';
import { parameterText } from '../own-kinds/parameter-text';
import { withDefaults } from '../own-kinds/schema-problems';
import type { OwnKind } from '../own-kinds/types';
import { parameterOf } from '../package/to-objects';
import { parameterProblem } from '../parameters/parameter-problems';
import { namedMembers } from '../plan-metadata/precondition-expression';
import type { Report } from './report';
import { scanTemplate } from './scan-template';

const VARIABLES = new Set<string>(TEMPLATE_VARIABLES);

/** Each expression compiles, each parameter exists, and what is required has a value. */
export function checkApiExpressions(report: Report, kind: OwnKind, index: number): void {
  const at = (...path: (string | number)[]) => report.operatorLine('api', index, ...path);
  const check = (text: string, what: string, path: (string | number)[]) => {
    const problem = expressionProblem(text);
    if (problem !== undefined) report.error(at(...path), `${what} of kind ${kind.kind}: ${problem}`);
  };
  if (kind.run !== undefined) check(kind.run.instance, '"instance"', ['run', 'instance']);
  for (const [field, text] of Object.entries(kind.status ?? {})) check(text, `status ${field}`, ['status', field]);
  (kind.rules ?? []).forEach(({ rule, message }, place) => {
    const { problem } = compileCel(rule, 'bool');
    if (problem !== undefined) report.error(at('rules', place, 'rule'), `rule of kind ${kind.kind}: ${problem}`);
    if (message.includes('{{')) check(message, 'message', ['rules', place, 'message']);
  });
  (kind.conditions ?? []).forEach(({ type, rule, message }, place) => {
    const { problem } = compileCel(rule, 'bool');
    if (problem !== undefined) report.error(at('conditions', place, 'rule'), `condition ${type}: ${problem}`);
    if (message.includes('{{')) check(message, 'message', ['conditions', place, 'message']);
  });
  checkObjects(report, kind, index);
  checkParameters(report, kind, index);
}

const STANDARD_CONDITIONS = new Set([
  'Ready',
  'Synced',
  'Healthy',
  'Complete',
  'Failed',
  'Compatible',
  'StatusComplete',
]);

/** Objects have what it takes to read them, expressions name no others, and conditions have names of their own. */
function checkObjects(
  report: Report,
  { kind, run, objects = [], conditions = [], status = {} }: OwnKind,
  index: number,
): void {
  const problem = (path: (string | number)[], message: string) =>
    report.error(report.operatorLine('api', index, ...path), `kind ${kind}: ${message}`);
  if (run !== undefined && objects.length > 0) problem(['objects'], '"objects" needs "instance": a run reads none');
  if (objects.length > limits.liveValuesEntries) {
    problem(['objects'], `there are ${objects.length} objects; at most ${limits.liveValuesEntries} are read`);
  }
  const ids = new Set<string>();
  objects.forEach(({ id, kind: of, name }, place) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(id)) problem(['objects', place], `"${id}" is not an id of an object`);
    if (ids.has(id)) problem(['objects', place], `id "${id}" has a duplicate`);
    if (of === '' || name === '') problem(['objects', place], `object "${id}" needs "kind" and "name"`);
    ids.add(id);
  });
  const texts = [
    ...Object.entries(status).map(([field, text]) => ({ path: ['status', field], text })),
    ...conditions.map(({ rule }, place) => ({ path: ['conditions', place], text: `\${${rule}}` })),
  ];
  for (const { path, text } of texts) {
    const expression = readExpression(text);
    const named = expression.is === 'cel' ? namedMembers(expression.cel, 'objects') : [];
    for (const id of named) if (!ids.has(id)) problem(path, `objects.${id} is not one of its "objects"`);
  }
  const types = new Set(STANDARD_CONDITIONS);
  conditions.forEach(({ type }, place) => {
    if (types.has(type)) problem(['conditions', place], `condition ${type} exists already`);
    types.add(type);
  });
}

/** What is wrong with an expression; undefined when it compiles. */
function expressionProblem(text: string): string | undefined {
  const expression = readExpression(text);
  if (expression.is === 'text') return undefined;
  if (expression.is === 'cel') return compileCel(expression.cel).problem;
  try {
    const { implicits, parameters } = scanTemplate(parseTemplate('api', expression.text));
    const strange =
      [...implicits.keys()].find((name) => !VARIABLES.has(name)) ?? (parameters.size > 0 ? 'Params' : undefined);
    return strange === undefined
      ? undefined
      : `variable "${strange}" does not exist here; known are ${TEMPLATE_VARIABLES.join(', ')}`;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `it is not a template: ${error.goMessage}`;
  }
}

function checkParameters(report: Report, kind: OwnKind, index: number): void {
  const act = kind.run === undefined ? 'instance' : 'run';
  const { parameters = {} } = kind.run ?? kind.instance ?? {};
  const place = (name: string) => report.operatorLine('api', index, act, 'parameters', name);
  const known = new Map(report.pkg.parameters.map((parameter) => [parameter.name, parameter]));
  for (const [name, text] of Object.entries(parameters)) {
    const parameter = known.get(name);
    if (parameter === undefined) {
      report.error(place(name), `parameter "${name}" of kind ${kind.kind} is not defined`);
      continue;
    }
    const problem = expressionProblem(text);
    if (problem !== undefined) report.error(place(name), `parameter "${name}" of kind ${kind.kind}: ${problem}`);
    else checkByDefault(report, kind, { name, text, index });
  }
  if (kind.instance === undefined) return;
  for (const { name, required, default: byDefault } of report.pkg.parameters) {
    if (!required || byDefault !== undefined || Object.hasOwn(parameters, name)) continue;
    const message = `kind ${kind.kind} sets no value of parameter "${name}", which is required and has no default`;
    report.error(report.operatorLine('api', index, 'instance'), message);
  }
}

/** The value of a resource that gives nothing itself is valid for the parameter, where the schema lets such a resource in. */
function checkByDefault(
  report: Report,
  kind: OwnKind,
  { name, text, index }: { readonly name: string; readonly text: string; readonly index: number },
): void {
  const schema = storageVersionOf(kind)?.schema.properties?.spec;
  const found = report.pkg.parameters.find((each) => each.name === name);
  if (schema === undefined || found === undefined || (schema.required ?? []).length > 0 || kind.instance === undefined)
    return;
  const self: JsonObject = { metadata: { name: 'example', namespace: 'default' }, spec: withDefaults({}, schema) };
  const parameter = parameterOf(found);
  const place = report.operatorLine('api', index, 'instance', 'parameters', name);
  try {
    const value = evaluate(text, { self });
    const problem =
      value === null ? undefined : parameterProblem(parameter, parameterText(value, parameter['value-type']));
    if (problem !== undefined) {
      report.error(place, `a resource of kind ${kind.kind} that has only defaults: ${problem}`);
    }
  } catch (error) {
    report.error(
      place,
      `a resource of kind ${kind.kind} that has only defaults: ${messageOf(error)} Use has() in CEL, or a default in the schema.`,
    );
  }
}
