import { DYN } from '@/lib/cel/cel-type';
import { fromJson } from '@/lib/cel/json-values';
import type { CelValue } from '@/lib/cel/values';
import { messageOf } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type CompiledExpression, compileExpression } from '@/lib/schema/cel/compile-expression';
import type { SuiteFields } from './fields';

/** An object that expressions name by `ref` (KUTTL expressions/cel.go). */
export interface ResourceRef {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty: the namespace of the case. */
  readonly namespace: string;
  readonly name: string;
  readonly ref: string;
}

/** The expressions of a TestAssert, compiled. */
export interface Expressions {
  readonly refs: readonly ResourceRef[];
  readonly any: readonly CompiledExpression[];
  readonly all: readonly CompiledExpression[];
}

/** Reads `resourceRefs`, `assertAny` and `assertAll`. @throws TerminalError with the line of what is wrong */
export function readExpressions(fields: SuiteFields): Expressions {
  const refs = fields.maps('resourceRefs').map(readRef);
  const variables = new Map(refs.map(({ ref }) => [ref, DYN]));
  const compiled = (key: string) =>
    fields.maps(key).map((entry) => {
      const expression = compileExpression(entry.text('celExpr') ?? '', variables, 'any');
      if (expression.problem !== undefined) throw entry.problem(expression.problem, 'celExpr');
      return expression;
    });
  return { refs, any: compiled('assertAny'), all: compiled('assertAll') };
}

function readRef(fields: SuiteFields): ResourceRef {
  const ref: ResourceRef = {
    apiVersion: fields.text('apiVersion') ?? '',
    kind: fields.text('kind') ?? '',
    namespace: fields.text('namespace') ?? '',
    name: fields.text('name') ?? '',
    ref: fields.text('ref') ?? '',
  };
  if (ref.apiVersion.split('/').length > 2 || ref.apiVersion === '') {
    throw fields.problem('apiVersion not of the format (<group>/)<version>', 'apiVersion');
  }
  if (ref.kind === '') throw fields.problem('kind not specified');
  if (ref.name === '') throw fields.problem('name not specified');
  if (ref.ref === '') throw fields.problem('ref not specified');
  return ref;
}

/** What does not hold, a sentence each. `objects` has every object by its `ref`. */
export function judgeExpressions({ any, all }: Expressions, objects: ReadonlyMap<string, KubeObject>): string[] {
  const scope: { [name: string]: CelValue } = {};
  for (const [ref, object] of objects) scope[ref] = fromJson(object as unknown as JsonValue);
  const failed = (expressions: readonly CompiledExpression[]) =>
    expressions.flatMap((expression) => failureOf(expression, scope) ?? []);
  const problems: string[] = [];
  const anyFailed = failed(any);
  if (any.length > 0 && anyFailed.length === any.length) {
    problems.push(`no expression evaluated to true: ${anyFailed.join('; ')}`);
  }
  const allFailed = failed(all);
  if (allFailed.length > 0) {
    problems.push(`not all assertAll expressions evaluated to true: ${allFailed.join('; ')}`);
  }
  return problems;
}

function failureOf(expression: CompiledExpression, scope: { [name: string]: CelValue }): string | undefined {
  try {
    const value = expression.run(scope);
    return value === true ? undefined : `expression "${expression.text}" evaluated to '${String(value)}'`;
  } catch (error) {
    return `expression "${expression.text}" failed: ${messageOf(error)}`;
  }
}
