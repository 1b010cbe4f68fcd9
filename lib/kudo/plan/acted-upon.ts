import { jsonEqual } from '@/lib/json/json';
import { operatorVersionKey } from '@/lib/kudo/names';
import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import type { RunOrigin } from '@/lib/kudo/runs/read-origin';
import type { RecordedInputs } from '@/lib/kudo/runs/run-origin';
import { type Fingerprinter, isFingerprint } from '@/lib/kudo/secrets/fingerprint';
import { entriesFor, sourceTexts } from '@/lib/kudo/sources/parameter-source';
import { completeSpec, NO_READS, type SourceReads } from '@/lib/kudo/sources/source-values';
import type { Instance, InstanceSpec, OperatorVersion } from '@/lib/kudo/types';
import { type ActedUpon, actedUpon, type EndedByHand, type RecordedTexts } from './acted-upon-record';
import { isUnknownValue, NO_VALUE, recordedFingerprint, unknownValue } from './unknown-value';

/** The execution that a record names. */
export interface RecordedExecution {
  readonly plan: string;
  readonly uid: string;
  readonly startedAt: string;
  readonly origin?: RunOrigin;
  readonly ended?: EndedByHand;
}

/** What a record needs to keep secret values out of it. */
export interface RecordContext {
  readonly fingerprints: Fingerprinter;
  /** The version that says which parameters are secret; every value counts as secret when it is not known. */
  readonly operatorVersion: OperatorVersion | undefined;
}

/**
 * The record's text for an Instance (with its sources' values, see {@link withSources}) as it is now, the execution that begins
 * with it, and the one before that is to be announced.
 */
export function formatActedUpon(
  instance: Pick<Instance, 'spec'>,
  context: RecordContext,
  execution?: RecordedExecution & { readonly before?: ActedUpon | undefined },
): string {
  const { name = '', namespace } = instance.spec?.operatorVersion ?? {};
  const operatorVersion = namespace === undefined || namespace === '' ? { name } : { name, namespace };
  const values = splitValues(instance.spec?.parameters ?? {}, context);
  const texts = sourceTexts(instance.spec);
  const sources = Object.keys(texts).length === 0 ? {} : { sources: texts };
  return JSON.stringify({ format: 2, operatorVersion, ...values, ...sources, ...execution });
}

/** What a record says of the inputs of an Instance: the values that it shows, and fingerprints of the others. */
export function recordedInputs(instance: Pick<Instance, 'spec'>, context: RecordContext): RecordedInputs {
  const { name = '' } = instance.spec?.operatorVersion ?? {};
  return { operatorVersion: { name }, ...splitValues(instance.spec?.parameters ?? {}, context) };
}

/** In place of the fingerprint of a source that had no value yet: any first value is the one that the plan waited for. */
const NOT_READ = 'unknown';

function splitValues(values: RecordedTexts, { fingerprints, operatorVersion }: RecordContext) {
  const schema = parameterSchemaOf(operatorVersion);
  const shown: { [name: string]: string } = {};
  const hidden: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(values)) {
    const isHidden = operatorVersion === undefined || isSecretParameter(name, schema);
    if (value === NO_VALUE) continue;
    if (isUnknownValue(value)) hidden[name] = fingerprintOrUnknown(recordedFingerprint(value));
    else if (isHidden) hidden[name] = fingerprints.of(value);
    else shown[name] = value;
  }
  return { parameters: shown, ...(Object.keys(hidden).length === 0 ? {} : { fingerprints: hidden }) };
}

function fingerprintOrUnknown(text: string): string {
  return isFingerprint(text) ? text : NOT_READ;
}

/** True for a record of a plan that has begun to wait for a source: its first value is not recorded yet. */
export function waitsForSource({ fingerprints = {} }: ActedUpon): boolean {
  return Object.values(fingerprints).includes(NOT_READ);
}

/**
 * The Instance with a value for each parameter that comes from a source, by which it is compared (`completeSpec`). It is for
 * decisions: `withoutSourceValues` before it is sent anywhere.
 */
export function withSources(instance: Instance, reads: SourceReads = NO_READS, fingerprints?: Fingerprinter): Instance {
  if (instance.spec?.parametersFrom === undefined) return instance;
  const spec = completeSpec(instance.spec, { reads, fingerprints, recorded: actedUpon(instance) ?? {} });
  return spec === undefined ? instance : { ...instance, spec };
}

/** The values of an Instance; of sources that nobody has read what the record says of them. */
function presentValues({ spec }: { readonly spec?: InstanceSpec | undefined }, recorded: ActedUpon): RecordedTexts {
  return completeSpec(spec, { reads: NO_READS, recorded })?.parameters ?? {};
}

/**
 * True when version, parameters or their sources differ from what was acted upon. False when there is no record to compare with.
 * Without `fingerprints` (outside of the controller) a secret parameter counts as changed only when it was added or removed.
 */
export function hasUnseenChange(instance: Instance, fingerprints?: Fingerprinter): boolean {
  const seen = actedUpon(instance);
  if (seen === undefined) return false;
  const was = operatorVersionKey({ ...instance, spec: { operatorVersion: seen.operatorVersion } });
  const is = operatorVersionKey(instance);
  return (
    was.name !== is.name ||
    was.namespace !== is.namespace ||
    !jsonEqual(seen.sources ?? {}, sourceTexts(instance.spec)) ||
    !jsonEqual(valuesActedUpon(seen, instance, fingerprints), presentValues(instance, seen))
  );
}

/**
 * The Instance as it was when it was acted upon last; the rest of it is as it is now. A secret parameter that has changed since
 * has an `unknownValue` there, which differs from every text that a person can write.
 */
export function instanceAsActedUpon(instance: Instance, fingerprints?: Fingerprinter): Instance {
  const seen = actedUpon(instance);
  if (seen === undefined) return instance;
  const parameters = valuesActedUpon(seen, instance, fingerprints);
  const { parametersFrom: _, ...spec } = instance.spec ?? {};
  const sources = entriesFor(seen.sources ?? {}, instance.spec);
  return {
    ...instance,
    spec: {
      ...spec,
      operatorVersion: seen.operatorVersion,
      parameters,
      ...(sources.length === 0 ? {} : { parametersFrom: [...sources] }),
    },
  };
}

/** The values of a record; of secret ones the present value when its fingerprint is the recorded one or cannot be compared. */
export function valuesActedUpon(
  record: ActedUpon,
  instance: Pick<Instance, 'spec'>,
  fingerprints?: Fingerprinter,
): { [name: string]: string } {
  const present = presentValues(instance, record);
  const values: { [name: string]: string } = { ...record.parameters, ...movedValues(record, present, fingerprints) };
  for (const [name, fingerprint] of Object.entries(record.fingerprints ?? {})) {
    const value = Object.hasOwn(present, name) ? present[name] : undefined;
    const isComparable = fingerprints?.isComparable(fingerprint) === true;
    const isSame = value !== undefined && (!isComparable || fingerprintOf(value, fingerprints) === fingerprint);
    values[name] = isSame ? value : unknownValue(fingerprint);
  }
  // No value before and none now: the default, whatever the source.
  for (const [name, value] of Object.entries(present)) if (value === NO_VALUE) values[name] ??= NO_VALUE;
  for (const name of Object.keys(record.sources ?? {})) if (Object.hasOwn(present, name)) values[name] ??= NO_VALUE;
  return values;
}

/** The present values of parameters that the record shows, and that were moved unchanged to a Secret or a ConfigMap. */
function movedValues(
  record: ActedUpon,
  present: { readonly [name: string]: string },
  fingerprints: Fingerprinter | undefined,
): { [name: string]: string } {
  if (fingerprints === undefined) return {};
  const moved = Object.entries(record.parameters).flatMap(([name, value]) => {
    const now = present[name];
    return now !== undefined && isUnknownValue(now) && isSameValue(value, now, fingerprints)
      ? [[name, now] as const]
      : [];
  });
  return Object.fromEntries(moved);
}

/** True for two values, each as text or as an `unknownValue`, that are the same text. */
export function isSameValue(one: string, other: string, fingerprints: Fingerprinter): boolean {
  return one === other || fingerprintOf(one, fingerprints) === fingerprintOf(other, fingerprints);
}

function fingerprintOf(value: string, fingerprints: Fingerprinter): string {
  return isUnknownValue(value) ? recordedFingerprint(value) : fingerprints.of(value);
}

/** True when a record shows the value of a secret parameter, as versions before 0.2 wrote it. */
export function showsSecretParameters(record: ActedUpon, operatorVersion: OperatorVersion | undefined): boolean {
  const schema = parameterSchemaOf(operatorVersion);
  const shows = ({ parameters }: ActedUpon) => Object.keys(parameters).some((name) => isSecretParameter(name, schema));
  return shows(record) || (record.before !== undefined && shows(record.before));
}
