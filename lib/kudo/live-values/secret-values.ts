import { isJsonObject } from '@/lib/json/json';
import type { LiveInputs } from './live-inputs';

/** The values of the Secrets that were read, decoded and as they are stored: what no text may show. */
export function secretValues(inputs: Iterable<LiveInputs>): ReadonlySet<string> {
  const values = new Set<string>();
  const all = [...inputs];
  for (const reference of all.flatMap(({ refs }) => Object.values(refs))) {
    if (reference?.Kind === 'Secret') for (const value of Object.values(reference.Outputs)) values.add(value);
  }
  for (const object of all.flatMap(({ objects }) => Object.values(objects))) {
    if (object?.kind !== 'Secret' || !isJsonObject(object.data)) continue;
    for (const stored of Object.values(object.data)) {
      if (typeof stored !== 'string' || stored === '') continue;
      values.add(stored);
      values.add(decoded(stored));
    }
  }
  values.delete('');
  return values;
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return '';
  }
}
