import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { type RunOrigin, readOrigin } from '@/lib/kudo/runs/read-origin';
import type { Instance, ObjectReference } from '@/lib/kudo/types';
import { ACTED_UPON_ANNOTATION } from './acted-upon-annotation';

export interface ActedUpon {
  /** 2 since version 0.2; absent in a record of an earlier one, whose run drew its random bytes from public text. */
  readonly format?: 2;
  readonly operatorVersion: ObjectReference;
  /** Without secret ones. */
  readonly parameters: RecordedTexts;
  /** Of the values of secret parameters, by name; absent when there is none. */
  readonly fingerprints?: RecordedTexts;
  /** Where the values of `spec.parametersFrom` came from, by parameter; absent when there is none. */
  readonly sources?: RecordedTexts;
  readonly plan?: string;
  readonly uid?: string;
  readonly startedAt?: string;
  readonly origin?: RunOrigin;
  readonly ended?: EndedByHand;
  /** Never with a `before` of its own. */
  readonly before?: ActedUpon;
}

export interface RecordedTexts {
  readonly [name: string]: string;
}

export type EndedByHand = 'COMPLETE' | 'FATAL_ERROR';

/** The record on an Instance, or undefined when there is none that can be read. */
export function actedUpon(instance: Instance): ActedUpon | undefined {
  return parseActedUpon(instance.metadata.annotations?.[ACTED_UPON_ANNOTATION]);
}

/** One reconcile reads the record of its Instance many times: the text that was parsed last, and what it holds. */
let latest: { readonly text: string; readonly record: ActedUpon | undefined } = { text: '', record: undefined };

/** The record in an annotation's text, or undefined when it is none. Calls with the same text may return the same object. */
export function parseActedUpon(text: string | undefined): ActedUpon | undefined {
  if (text === undefined) return undefined;
  if (text !== latest.text) {
    const value = parseJsonObject(text);
    latest = { text, record: value === undefined ? undefined : readRecord(value) };
  }
  return latest.record;
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
  const origin = readOrigin(value.origin);
  const before = isJsonObject(value.before) ? readRecord({ ...value.before, before: null }) : undefined;
  return {
    ...(value.format === 2 ? { format: 2 } : {}),
    operatorVersion: { name, ...(namespace === undefined ? {} : { namespace }) },
    parameters: textMembers(objectAt(value, 'parameters')),
    ...(isJsonObject(value.fingerprints) ? { fingerprints: textMembers(value.fingerprints) } : {}),
    ...(isJsonObject(value.sources) ? { sources: textMembers(value.sources) } : {}),
    ...(execution.plan === undefined ? {} : { plan: execution.plan }),
    ...(execution.uid === undefined ? {} : { uid: execution.uid }),
    ...(execution.startedAt === undefined ? {} : { startedAt: execution.startedAt }),
    ...(origin === undefined ? {} : { origin }),
    ...(isEndedByHand(value.ended) ? { ended: value.ended } : {}),
    ...(before === undefined ? {} : { before }),
  };
}

function isEndedByHand(value: unknown): value is EndedByHand {
  return value === 'COMPLETE' || value === 'FATAL_ERROR';
}

function textMembers(value: { [key: string]: unknown }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
