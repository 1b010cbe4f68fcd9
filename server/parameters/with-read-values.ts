import { sourcesOf, sourceText } from '@/lib/kudo/sources/parameter-source';
import type { SourceReads } from '@/lib/kudo/sources/source-values';
import type { Instance } from '@/lib/kudo/types';

/** The values that sources hold, by parameter: those of `texts` (parameter → source). */
export function valuesAt(
  texts: { readonly [parameter: string]: string },
  reads: SourceReads,
): { [name: string]: string } {
  const found = Object.entries(texts).flatMap(([parameter, text]) => {
    const read = reads.get(text);
    return read !== undefined && 'value' in read ? [[parameter, read.value] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * The Instance with the values of its sources among its parameters, for rendering alone: it must not be sent anywhere.
 *
 * @param unread gives the value of a source that could not be read; undefined leaves it out
 */
export function withReadValues(instance: Instance, reads: SourceReads, unread?: string): Instance {
  const sources = sourcesOf(instance.spec);
  if (sources.length === 0) return instance;
  const values = sources.flatMap((source) => {
    const read = reads.get(sourceText(source));
    if (read !== undefined && 'value' in read) return [[source.parameter, read.value] as const];
    const isDefault = read?.isAbsent === true && source.isOptional;
    return unread === undefined || isDefault ? [] : [[source.parameter, unread] as const];
  });
  return {
    ...instance,
    spec: { ...instance.spec, parameters: { ...Object.fromEntries(values), ...instance.spec?.parameters } },
  };
}

/** The first source whose value is not known, in a sentence; undefined when all are. */
export function unreadSource(instance: Instance, reads: SourceReads): string | undefined {
  for (const source of sourcesOf(instance.spec)) {
    const read = reads.get(sourceText(source));
    if (read !== undefined && 'problem' in read && !(read.isAbsent && source.isOptional)) return `${read.problem}.`;
  }
  return undefined;
}
