import { DYN, mapTypeOf, STRING } from '@/lib/cel/cel-type';
import { fromJson } from '@/lib/cel/json-values';
import { CelError, type CelValue } from '@/lib/cel/values';
import { parseTime } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { Random } from '@/lib/random/random';
import { type CompiledExpression, compileExpression, type Wanted } from '@/lib/schema/cel/compile-expression';
import { parseTemplate, renderTemplate, TemplateError } from '@/lib/template/template';
import { celToJson } from './cel-to-json';
import { readExpression } from './expression-text';
import type { ExpressionScope } from './types';

/** What CEL may name. */
const VARIABLES = new Map([
  ['self', DYN],
  ['instance', DYN],
  ['run', DYN],
  ['state', DYN],
  ['objects', mapTypeOf(STRING, DYN)],
]);

/** What templates may name. */
export const TEMPLATE_VARIABLES = ['Name', 'Namespace', 'Metadata', 'Spec', 'Instance', 'State'] as const;

const TEMPLATE_BUDGET = { steps: 20_000, outputBytes: 64 * 1024 } as const;

/** What was compiled last: a controller asks for the same expressions at each look. */
const compiledByText = new Map<string, CompiledExpression>();
const MAX_COMPILED = 500;

/** A problem when the expression does not compile, or gives something else than what is wanted. */
export function compileCel(cel: string, wanted: Wanted = 'any'): CompiledExpression {
  const compiled = compiledByText.get(cel) ?? compile(cel);
  if (compiledByText.size >= MAX_COMPILED) compiledByText.clear();
  compiledByText.set(cel, compiled);
  const { type, problem } = compiled;
  if (problem !== undefined || wanted === 'any' || type?.kind === wanted || type?.kind === 'dyn') return compiled;
  return { ...compiled, problem: `the expression must give a ${wanted}, not ${type}` };
}

function compile(cel: string): CompiledExpression {
  if (cel.length > limits.planExpressionChars) {
    const problem = `the expression is longer than ${limits.planExpressionChars} characters`;
    return { text: cel, problem, type: undefined, run: () => null };
  }
  const compiled = compileExpression(cel, VARIABLES, 'any');
  const { problem } = compiled;
  // The lines after the first one draw an arrow to the place.
  return problem === undefined ? compiled : { ...compiled, problem: problem.split('\n', 1)[0] };
}

/**
 * The value of an expression; null when it gives none. The same resource gives the same value: templates have no random functions, and `now`
 * is the time at which the resource was created.
 *
 * @throws TerminalError `ExpressionFailed` with what is wrong
 */
export function evaluate(text: string, scope: ExpressionScope): JsonValue {
  const expression = readExpression(text);
  switch (expression.is) {
    case 'text':
      return expression.text;
    case 'template':
      return renderExpression(expression.text, scope);
    case 'cel':
      return evaluateCel(expression.cel, scope);
  }
}

/** @throws TerminalError `ExpressionFailed` */
export function evaluateCel(cel: string, scope: ExpressionScope): JsonValue {
  const compiled = compileCel(cel);
  if (compiled.problem !== undefined) throw failed(cel, compiled.problem);
  const { self, instance = null, run = null, state = null, objects = {} } = scope;
  const values: { [name: string]: CelValue } = {
    self: fromJson(self as JsonObject),
    instance: fromJson(instance as JsonObject | null),
    run: fromJson(run as JsonObject | null),
    state: fromJson(state as JsonObject | null),
    objects: fromJson(Object.fromEntries(Object.entries(objects).filter(([, object]) => object !== null))),
  };
  try {
    return celToJson(compiled.run(values));
  } catch (error) {
    if (error instanceof CelError || error instanceof Error) throw failed(cel, error.message);
    throw error;
  }
}

/** @throws TerminalError `ExpressionFailed` */
export function renderExpression(text: string, { self, instance = {}, state = {} }: ExpressionScope): string {
  const metadata = objectAt(self, 'metadata');
  const values = {
    Name: stringAt(metadata, 'name') ?? '',
    Namespace: stringAt(metadata, 'namespace') ?? '',
    Metadata: metadata,
    Spec: objectAt(self, 'spec'),
    Instance: instance ?? {},
    State: state ?? {},
  };
  const createdMs = parseTime(stringAt(metadata, 'creationTimestamp')) ?? 0;
  try {
    const environment = { clock: { now: () => createdMs }, random: NO_RANDOM, hasDraftKeys: true };
    return renderTemplate(parseTemplate('api', text), values, { environment, budget: TEMPLATE_BUDGET });
  } catch (error) {
    if (error instanceof TemplateError) throw failed(text, error.goMessage);
    throw error;
  }
}

/** A value that differs at each reconcile would start a plan at each reconcile. */
const NO_RANDOM: Random = {
  bytes: () => {
    throw new TerminalError('Random functions cannot be used in api: of operator.yaml.', 'ExpressionFailed');
  },
};

function failed(text: string, why: string): TerminalError {
  const shown = text.length > 120 ? `${text.slice(0, 119)}…` : text;
  return new TerminalError(`"${shown}" has no value: ${why}`, 'ExpressionFailed');
}
