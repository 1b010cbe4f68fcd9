import { isUnknownValue, NO_VALUE, unknownValue } from '@/lib/kudo/plan/unknown-value';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, InstanceSpec } from '@/lib/kudo/types';
import { type Source, sourcesOf, sourceText } from './parameter-source';

/**
 * What a source holds now, by the text of the source. Absent is an object or a key that does not exist; any other problem (it
 * cannot be read, it is no text) does not make an optional source empty. A problem is a sentence without its full stop.
 */
export type SourceReads = ReadonlyMap<string, SourceRead>;
export type SourceRead = { readonly value: string } | { readonly problem: string; readonly isAbsent: boolean };

export const NO_READS: SourceReads = new Map();

/** What is known of the sources: what they hold now, and what a record says of them. */
export interface KnownSources {
  readonly reads: SourceReads;
  /** Absent outside of the controller, where nothing is read. */
  readonly fingerprints?: Fingerprinter | undefined;
  readonly recorded: {
    readonly sources?: { readonly [parameter: string]: string };
    readonly fingerprints?: { readonly [parameter: string]: string };
  };
}

/**
 * The spec with a value for each parameter that has a source, so that values can be compared: an `unknownValue` of its fingerprint.
 * A source that was not read, or has no value now, counts as unchanged when the record names the same one; else as something new.
 * An optional source without a value gives `NO_VALUE`. Parameters that have a value already keep it.
 */
export function completeSpec<T extends InstanceSpec>(spec: T | undefined, known: KnownSources): T | undefined {
  const sources = sourcesOf(spec);
  if (spec === undefined || sources.length === 0) return spec;
  const parameters = { ...spec.parameters };
  for (const source of sources) {
    if (Object.hasOwn(parameters, source.parameter)) continue;
    parameters[source.parameter] = comparedValue(source, known);
  }
  return { ...spec, parameters };
}

function comparedValue(source: Source, { reads, fingerprints, recorded }: KnownSources): string {
  const text = sourceText(source);
  const read = reads.get(text);
  if (read !== undefined && 'value' in read && fingerprints !== undefined) {
    return unknownValue(fingerprints.of(read.value));
  }
  if (read !== undefined && 'problem' in read && read.isAbsent && source.isOptional) return NO_VALUE;
  if (recorded.sources?.[source.parameter] !== text) return unknownValue(text);
  const fingerprint = recorded.fingerprints?.[source.parameter];
  return fingerprint === undefined ? NO_VALUE : unknownValue(fingerprint);
}

/** True when an Instance holds values that exist for comparison alone. */
export function hasSourceValues(instance: Instance): boolean {
  return Object.values(instance.spec?.parameters ?? {}).some(isUnknownValue);
}

/**
 * The Instance as it may leave the process: without values that exist for comparison alone. The same object when it has none.
 * Whatever sends an Instance to the API passes it through here.
 */
export function withoutSourceValues(instance: Instance): Instance {
  if (!hasSourceValues(instance)) return instance;
  const { parameters = {}, ...spec } = instance.spec ?? {};
  const own = Object.entries(parameters).filter(([, value]) => !isUnknownValue(value));
  return { ...instance, spec: own.length === 0 ? spec : { ...spec, parameters: Object.fromEntries(own) } };
}
