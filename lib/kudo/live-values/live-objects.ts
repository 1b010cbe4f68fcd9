import { fromJson } from '@/lib/cel/json-values';
import { EntryMap } from '@/lib/cel/values';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { preconditionParameters } from '@/lib/kudo/plan-metadata/precondition-parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { ReadObject, TaskLiveValues } from './live-values';
import { judgeConditions, type RuleFacts, type RuleVerdict } from './rule-expression';

/** What templates see as `.Objects`: the objects of the cluster by id; null for an optional one that does not exist. */
export type LiveObjects = { readonly [id: string]: JsonObject | null };

/** An object as templates see it: without what writers keep in it for themselves. */
export function objectForTemplates(object: KubeObject): JsonObject {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  const shown = Object.entries(annotations ?? {}).filter(([name]) => !RECORDS.has(name));
  const rest = shown.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(shown) };
  return { ...object, metadata: rest } as unknown as JsonObject;
}

const RECORDS: ReadonlySet<string> = new Set([
  LAST_APPLIED_ANNOTATION,
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/**
 * What the variables of rules stand for.
 * @throws RenderError for a list or a map parameter that cannot be read
 */
export function ruleFacts(instance: Instance, operatorVersion: OperatorVersion, objects: LiveObjects): RuleFacts {
  const entries = Object.entries(objects).filter(([, object]) => object !== null);
  return {
    params: preconditionParameters(operatorVersion, instance, new Set()).params,
    objects: new EntryMap(entries.map(([id, object]) => [id, fromJson(object)])),
    instance: fromJson(instance as unknown as JsonValue),
  };
}

/** Whether an object that was read is as the task needs it. */
export function judgeRead({ readyWhen = [] }: ReadObject, object: JsonObject, facts: RuleFacts): RuleVerdict {
  return judgeConditions(readyWhen, 'readyWhen', { ...facts, self: fromJson(object) });
}

/**
 * Whether an applied object is ready by the rules of its task; undefined when there is none for it. An object whose controller has
 * not seen its latest spec (`status.observedGeneration`) is not ready, whatever the rule says of the rest of its status.
 */
export function judgeApplied(
  { rules }: TaskLiveValues,
  { object, template }: { readonly object: KubeObject; readonly template: string },
  facts: RuleFacts,
): RuleVerdict | undefined {
  const expressions = rules
    .filter(({ resource, kind }) => resource === template && (kind === undefined || kind === object.kind))
    .flatMap(({ readyWhen = [] }) => readyWhen);
  if (expressions.length === 0) return undefined;
  if (isBehind(object)) return { isFalse: true, why: 'its controller has not seen the latest change yet' };
  return judgeConditions(expressions, 'readyWhen', { ...facts, self: fromJson(object as unknown as JsonValue) });
}

function isBehind({ metadata, status }: KubeObject): boolean {
  const observed = typeof status === 'object' && status !== null && 'observedGeneration' in status;
  if (!observed) return false;
  const { observedGeneration } = status;
  return typeof observedGeneration === 'number' && observedGeneration < (metadata.generation ?? 0);
}

/** Whether a template of the task is rendered. */
export function judgeIncluded({ rules }: TaskLiveValues, template: string, facts: () => RuleFacts): RuleVerdict {
  const expressions = rules
    .filter(({ resource }) => resource === template)
    .flatMap(({ includeWhen = [] }) => includeWhen);
  return expressions.length === 0 ? 'holds' : judgeConditions(expressions, 'includeWhen', facts());
}

/** `Service db`, or `Service db in namespace x`: an object in a sentence. */
export function objectWords(object: KubeObject, home: string): string {
  const { namespace = '' } = object.metadata;
  const where = namespace === '' || namespace === home ? '' : ` in namespace ${namespace}`;
  return `${object.kind} ${nameOf(object)}${where}`;
}
