import { isJsonObject, type JsonObject, jsonEqual, objectAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, ObjectReference } from '@/lib/kudo/types';

/**
 * What the controller acted upon last, kept on the Instance so that an edit by anybody is found by comparison, with or
 * without a webhook, and so that a running plan keeps the inputs that it began with. JSON:
 * `{"format": 2, "operatorVersion": {"name", "namespace"?}, "parameters": {…}, "plan"?, "uid"?, "startedAt"?, "ended"?, "before"?}`; plan,
 * uid and startedAt are those of the execution that used these inputs first (`startedAt` RFC 3339: the `now` of its templates), and
 * `ended` is the status with which a person ended it by hand before its time (T-09). `before` is the record of the execution before
 * it, when that has ended and the write that empties `planExecution` and tells what it left has not come yet.
 */
export const ACTED_UPON_ANNOTATION = 'bravo.kudo.dev/acted-upon';

export interface ActedUpon {
  /** 2 since version 0.2; absent in a record of an earlier one, whose run drew its random bytes from public text. */
  readonly format?: 2;
  readonly operatorVersion: ObjectReference;
  readonly parameters: { readonly [name: string]: string };
  readonly plan?: string;
  readonly uid?: string;
  readonly startedAt?: string;
  readonly ended?: EndedByHand;
  /** Never with a `before` of its own. */
  readonly before?: ActedUpon;
}

export type EndedByHand = 'COMPLETE' | 'FATAL_ERROR';

/** The execution that a record names. */
export interface RecordedExecution {
  readonly plan: string;
  readonly uid: string;
  readonly startedAt: string;
  readonly ended?: EndedByHand;
}

/** The record on an Instance, or undefined when there is none that can be read. */
export function actedUpon(instance: Instance): ActedUpon | undefined {
  return parseActedUpon(instance.metadata.annotations?.[ACTED_UPON_ANNOTATION]);
}

/** The record in an annotation's text, or undefined when it is none. */
export function parseActedUpon(text: string | undefined): ActedUpon | undefined {
  if (text === undefined) return undefined;
  const value = parseJsonObject(text);
  return value === undefined ? undefined : readRecord(value);
}

function readRecord(value: JsonObject): ActedUpon | undefined {
  const reference = objectAt(value, 'operatorVersion');
  const [name, namespace] = [stringAt(reference, 'name'), stringAt(reference, 'namespace')];
  // Nobody acts upon no version: it is somebody else's text.
  if (name === undefined) return undefined;
  const execution = {
    plan: stringAt(value, 'plan'),
    uid: stringAt(value, 'uid'),
    startedAt: stringAt(value, 'startedAt'),
  };
  const before = isJsonObject(value.before) ? readRecord({ ...value.before, before: null }) : undefined;
  return {
    ...(value.format === 2 ? { format: 2 } : {}),
    operatorVersion: { name, ...(namespace === undefined ? {} : { namespace }) },
    parameters: textMembers(objectAt(value, 'parameters')),
    ...(execution.plan === undefined ? {} : { plan: execution.plan }),
    ...(execution.uid === undefined ? {} : { uid: execution.uid }),
    ...(execution.startedAt === undefined ? {} : { startedAt: execution.startedAt }),
    ...(isEndedByHand(value.ended) ? { ended: value.ended } : {}),
    ...(before === undefined ? {} : { before }),
  };
}

/** The record's text for an Instance as it is now, the execution that begins with it, and the one that is yet to be told of. */
export function formatActedUpon(
  instance: Pick<Instance, 'spec'>,
  execution?: RecordedExecution & { readonly before?: ActedUpon | undefined },
): string {
  const { name = '', namespace } = instance.spec?.operatorVersion ?? {};
  const operatorVersion = namespace === undefined || namespace === '' ? { name } : { name, namespace };
  return JSON.stringify({ format: 2, operatorVersion, parameters: instance.spec?.parameters ?? {}, ...execution });
}

function isEndedByHand(value: unknown): value is EndedByHand {
  return value === 'COMPLETE' || value === 'FATAL_ERROR';
}

/** True when version or parameters differ from what was acted upon. False when there is no record to compare with. */
export function hasUnseenChange(instance: Instance): boolean {
  const seen = actedUpon(instance);
  if (seen === undefined) return false;
  const was = operatorVersionKey({ ...instance, spec: { operatorVersion: seen.operatorVersion } });
  const is = operatorVersionKey(instance);
  return (
    was.name !== is.name ||
    was.namespace !== is.namespace ||
    !jsonEqual(seen.parameters, instance.spec?.parameters ?? {})
  );
}

/** The Instance as it was when it was acted upon last; the rest of it is as it is now. */
export function instanceAsActedUpon(instance: Instance): Instance {
  const seen = actedUpon(instance);
  if (seen === undefined) return instance;
  return {
    ...instance,
    spec: { ...instance.spec, operatorVersion: seen.operatorVersion, parameters: { ...seen.parameters } },
  };
}

function textMembers(value: { [key: string]: unknown }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
