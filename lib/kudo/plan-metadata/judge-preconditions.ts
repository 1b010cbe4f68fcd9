import { fromJson } from '@/lib/cel/json-values';
import { type CelValue, EntryMap } from '@/lib/cel/values';
import type { JsonValue } from '@/lib/json/json';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import { type PlanMetadata, type PlanObject, type Precondition, planMetadataOf } from './plan-metadata';
import { type NamedObject, namedObjectKey, nameObject, type ObjectRead, type ObjectReads } from './plan-objects';
import { compilePrecondition, namedMembers } from './precondition-expression';
import { type PreconditionParameters, preconditionParameters } from './precondition-parameters';

/** A plan that is to start: the Instance as it will be, with the values of its sources, and its version. */
export interface PlanStart {
  readonly plan: string;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
  /** Parameters whose values could not be read. */
  readonly unread?: ReadonlySet<string>;
}

/** Why a plan cannot start. `unknown`: it could not be found out whether the precondition holds. */
export interface PreconditionProblem {
  readonly outcome: 'fails' | 'unknown';
  /** A sentence or two. */
  readonly message: string;
}

/** The objects that the preconditions of a plan look at; those whose name cannot be rendered are left out. */
export function objectsToRead(start: PlanStart): readonly NamedObject[] {
  const { objects = [], preconditions = [] } = planMetadataOf(start.operatorVersion, start.plan);
  if (preconditions.length === 0) return [];
  const named = objects.slice(0, limits.planMetadataEntries).map((object) => nameObject(object, start));
  return named.filter((object): object is NamedObject => 'realName' in object);
}

/** True when the start of the plan depends on objects of the cluster. */
export function looksAtObjects({ plan, operatorVersion }: PlanStart): boolean {
  const { objects = [], preconditions = [] } = planMetadataOf(operatorVersion, plan);
  return objects.length > 0 && preconditions.length > 0;
}

/**
 * What the preconditions of a plan say, in their order; empty when the plan may start. The same function answers for webhook,
 * controller, console and command line; who asks reads the objects ({@link objectsToRead}).
 */
export function judgePreconditions(start: PlanStart, reads: ObjectReads): readonly PreconditionProblem[] {
  const metadata = planMetadataOf(start.operatorVersion, start.plan);
  const { preconditions = [] } = metadata;
  if (preconditions.length === 0) return [];
  if (preconditions.length > limits.planMetadataEntries) {
    return [unknown(`the plan has more than ${limits.planMetadataEntries} preconditions`)];
  }
  let parameters: PreconditionParameters;
  try {
    parameters = preconditionParameters(start.operatorVersion, start.instance, start.unread ?? new Set());
  } catch (error) {
    return [unknown(error instanceof Error ? error.message : String(error))];
  }
  const facts: Facts = { start, parameters, objects: objectFacts(metadata, start, reads) };
  return preconditions.flatMap((precondition) => judge(precondition, facts));
}

interface Facts {
  readonly start: PlanStart;
  readonly parameters: PreconditionParameters;
  readonly objects: ObjectFacts;
}

interface ObjectFacts {
  readonly values: CelValue;
  /** Why objects are not known, by the name that expressions use. */
  readonly problems: ReadonlyMap<string, string>;
}

function objectFacts({ objects = [] }: PlanMetadata, start: PlanStart, reads: ObjectReads): ObjectFacts {
  const entries: [string, CelValue][] = [];
  const problems = new Map<string, string>();
  for (const object of objects.slice(0, limits.planMetadataEntries)) {
    const read = readOf(object, start, reads);
    if (read === undefined) continue;
    if (isProblem(read)) problems.set(object.name, read.problem);
    else entries.push([object.name, fromJson(read as unknown as JsonValue)]);
  }
  return { values: new EntryMap(entries), problems };
}

function readOf(object: PlanObject, start: PlanStart, reads: ObjectReads): ObjectRead {
  const named = nameObject(object, start);
  if (isProblem(named)) return named;
  const key = namedObjectKey(named);
  return reads.has(key) ? reads.get(key) : { problem: `${named.kind} ${named.realName} was not read` };
}

function isProblem(read: object): read is { readonly problem: string } {
  return 'problem' in read && typeof read.problem === 'string' && !('kind' in read);
}

function judge({ expression, message }: Precondition, { start, parameters, objects }: Facts): PreconditionProblem[] {
  const compiled = compilePrecondition(expression);
  if (compiled.problem !== undefined) return [unknown(compiled.problem)];
  const hidden = [...namedMembers(expression, 'params')].find((name) => parameters.unknown.has(name));
  if (hidden !== undefined) return [unknown(`the value of parameter ${hidden} cannot be read`)];
  const [unreadable] = expression.includes('objects') ? objects.problems.values() : [];
  if (unreadable !== undefined) return [unknown(unreadable)];
  const instance = fromJson(start.instance as unknown as JsonValue);
  try {
    const holds = compiled.run({ params: parameters.params, instance, objects: objects.values });
    if (typeof holds !== 'boolean') return [unknown(`${expression.slice(0, 200)} gives no bool`)];
    return holds ? [] : [{ outcome: 'fails', message }];
  } catch (error) {
    return [unknown(`${expression.slice(0, 200)}: ${withoutValues(error)}`)];
  }
}

/** Other messages of CEL may hold the value of a secret parameter. */
function withoutValues(error: unknown): string {
  const words = error instanceof Error ? error.message : '';
  return /^no (such|matching) [a-z()]+(: [A-Za-z0-9_.-]+)?$/.test(words) ? words : 'it cannot be evaluated';
}

function unknown(why: string): PreconditionProblem {
  return { outcome: 'unknown', message: `A precondition cannot be checked: ${why}.` };
}

/** One sentence for a refusal. */
export function preconditionRefusal(plan: string, problems: readonly PreconditionProblem[]): string {
  return `plan "${plan}" cannot start. ${problems.map(({ message }) => message).join(' ')}`.slice(
    0,
    limits.messageBytes,
  );
}
