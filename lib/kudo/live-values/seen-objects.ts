import { canonicalJson } from '@/lib/json/canonical-json';
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '@/lib/json/json';
import { includedTemplates, templateSource, templatesOfTask } from '@/lib/kudo/rendering/render';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import { scanTemplate } from '@/lib/kudo/verify/scan-template';
import { parseTemplate } from '@/lib/template/template';
import type { LiveObjects } from './live-objects';
import { liveValuesByTask, type ReadObject } from './live-values';

/**
 * On an Instance: what the last run has seen of the objects whose change starts a plan, as fingerprints. JSON: `{"TASK/ID": FINGERPRINT}`.
 * The controller writes it at the end of a run.
 */
export const SEEN_OBJECTS_ANNOTATION = 'bravo.kudo.dev/seen-objects';

export interface SeenObjects {
  /** By `TASK/ID`. */
  readonly [key: string]: string;
}

/** Empty for an Instance none of whose runs has read such an object. */
export function seenObjects(instance: Instance): SeenObjects {
  const found = parseJsonObject(instance.metadata.annotations?.[SEEN_OBJECTS_ANNOTATION] ?? '') ?? {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The annotation after a run: what it has seen, and what earlier ones have, as far as the version still declares it. Undefined when that is nothing. */
export function formatSeenObjects(
  operatorVersion: OperatorVersion,
  before: SeenObjects,
  seen: SeenObjects,
): string | undefined {
  const declared = new Set(triggeringReads(operatorVersion).map(({ key }) => key));
  const entries = Object.entries({ ...before, ...seen }).filter(([key]) => declared.has(key));
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

/** A read whose change starts a plan. */
export interface TriggeringRead {
  readonly key: string;
  readonly task: string;
  readonly read: ReadObject;
  readonly trigger: string;
}

export function triggeringReads(operatorVersion: OperatorVersion | undefined): TriggeringRead[] {
  return Object.entries(liveValuesByTask(operatorVersion)).flatMap(([task, { reads }]) =>
    reads.flatMap((read) =>
      read.trigger === undefined ? [] : [{ key: `${task}/${read.id}`, task, read, trigger: read.trigger }],
    ),
  );
}

/**
 * Fingerprints of what a task takes from its objects: the fields that its templates name (all of an object that they use in another
 * way), and which templates its rules include. So the heartbeat of a status changes nothing.
 *
 * @throws RenderError for rules that cannot be evaluated
 */
export function fingerprintsOf(
  task: Task,
  { instance, operatorVersion, objects }: SeenInput,
  fingerprints: Fingerprinter,
): SeenObjects {
  const included = includedTemplates({ instance, operatorVersion, objects }, task);
  const fields = fieldsUsed(task, operatorVersion);
  const keys = triggeringReads(operatorVersion).filter((each) => each.task === task.name);
  return Object.fromEntries(
    keys.map(({ key, read }) => {
      const part = partOf(objects[read.id] ?? null, fields.get(read.id) ?? new Set(['']));
      return [key, fingerprints.of(canonicalJson([part, included]))];
    }),
  );
}

interface SeenInput {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
  readonly objects: LiveObjects;
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
  const {
    resourceVersion: _,
    generation: _generation,
    ...metadata
  } = isJsonObject(object.metadata) ? object.metadata : {};
  return { ...object, metadata };
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue {
  let value: JsonValue | undefined = object;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value ?? null;
}
