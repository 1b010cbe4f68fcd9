import { canonicalJson } from '@/lib/json/canonical-json';
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '@/lib/json/json';
import { triggerOf } from '@/lib/kudo/admission/trigger-of';
import { includedTemplates } from '@/lib/kudo/rendering/render';
import { templateSource, templatesOfTask } from '@/lib/kudo/rendering/task-templates';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import { scanTemplate } from '@/lib/kudo/verify/scan-template';
import { parseTemplate } from '@/lib/template/template';
import { type LiveInputs, neededInputs } from './live-inputs';

/**
 * On an Instance: what the last run has seen of the objects whose change starts a plan, as fingerprints. JSON: `{"TASK/ID": FINGERPRINT}`, and
 * `TASK/@PARAMETER` for what a parameter of type `instance` names. The controller writes it at the end of a run.
 */
export const SEEN_INPUTS_ANNOTATION = 'bravo.kudo.dev/seen-objects';

export interface SeenInputs {
  /** By `TASK/ID` or `TASK/@PARAMETER`. */
  readonly [key: string]: string;
}

/** Empty for an Instance none of whose runs has read such an object. */
export function seenInputs(instance: Instance): SeenInputs {
  const found = parseJsonObject(instance.metadata.annotations?.[SEEN_INPUTS_ANNOTATION] ?? '') ?? {};
  const texts = Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

/** The annotation after a run: what it has seen, and what earlier ones have, as far as the version declares it. Undefined when that is nothing. */
export function formatSeenInputs(
  operatorVersion: OperatorVersion,
  before: SeenInputs,
  seen: SeenInputs,
): string | undefined {
  const declared = new Set(
    (operatorVersion.spec?.tasks ?? []).flatMap((task) => watchedInputs(operatorVersion, task).map(({ key }) => key)),
  );
  const entries = Object.entries({ ...before, ...seen }).filter(([key]) => declared.has(key));
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

/** What a task reads, and the plan that starts when that changes. */
export interface WatchedInput {
  readonly key: string;
  readonly trigger: string;
  /** In a sentence: `Service db`, or `parameter ZK`. */
  readonly words: string;
  of(live: LiveInputs): JsonValue;
}

/** A read with a trigger; and each reference, whose trigger is that of its parameter. */
export function watchedInputs(operatorVersion: OperatorVersion, task: Task): WatchedInput[] {
  const needed = neededInputs(operatorVersion, task);
  if (needed === undefined) return [];
  const fields = needed.reads.length === 0 ? new Map<string, ReadonlySet<string>>() : fieldsUsed(task, operatorVersion);
  const reads = needed.reads.flatMap(({ id, kind, trigger }): WatchedInput[] => {
    const used = fields.get(id) ?? new Set(['']);
    const of = ({ objects }: LiveInputs) => partOf(objects[id] ?? null, used);
    return trigger === undefined ? [] : [{ key: `${task.name}/${id}`, trigger, words: `${kind} "${id}"`, of }];
  });
  const references = needed.references.flatMap(({ parameter }): WatchedInput[] => {
    const trigger = triggerOf(operatorVersion, [parameter]);
    if (trigger.kind !== 'plan') return [];
    const of = ({ refs }: LiveInputs) => (refs[parameter] ?? null) as JsonValue;
    const words = `what parameter ${parameter} names`;
    return [{ key: `${task.name}/@${parameter}`, trigger: trigger.plan, words, of }];
  });
  return [...reads, ...references];
}

/**
 * Fingerprints of what a task takes from the cluster: the fields that its templates name (all of an object that they use in another
 * way), and which templates its rules include. So the heartbeat of a status changes nothing.
 *
 * @throws RenderError for rules that cannot be evaluated
 */
export function fingerprintsOf(
  task: Task,
  { instance, operatorVersion, live }: SeenInput,
  fingerprints: Fingerprinter,
): SeenInputs {
  const watched = watchedInputs(operatorVersion, task);
  if (watched.length === 0) return {};
  const included = includedTemplates({ instance, operatorVersion, live }, task);
  return Object.fromEntries(watched.map(({ key, of }) => [key, fingerprints.of(canonicalJson([of(live), included]))]));
}

interface SeenInput {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
  readonly live: LiveInputs;
}

function fieldsUsed(task: Task, operatorVersion: OperatorVersion): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const name of templatesOfTask(task)) {
    const { objectFields } = scanTemplate(parseTemplate(name, templateSource(operatorVersion, name)));
    for (const [id, fields] of objectFields) all.set(id, new Set([...(all.get(id) ?? []), ...fields]));
  }
  return all;
}

/** The named fields of an object; without a name all of it but what every write changes. */
function partOf(object: JsonObject | null, fields: ReadonlySet<string>): JsonValue {
  if (object === null) return null;
  if (fields.has('')) return withoutBookkeeping(object);
  return Object.fromEntries([...fields].map((path) => [path, valueAt(object, path.split('.'))]));
}

function withoutBookkeeping(object: JsonObject): JsonObject {
  const known = isJsonObject(object.metadata) ? object.metadata : {};
  const { resourceVersion: _, generation: _generation, ...metadata } = known;
  return { ...object, metadata };
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue {
  let value: JsonValue | undefined = object;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value ?? null;
}
