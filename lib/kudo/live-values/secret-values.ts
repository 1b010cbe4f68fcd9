import { isJsonObject } from '@/lib/json/json';
import type { LiveObjects } from './live-objects';

/** The values of the Secrets among objects that were read, decoded and as they are stored: what no text may show. */
export function secretValues(objects: Iterable<LiveObjects>): ReadonlySet<string> {
  const values = new Set<string>();
  for (const object of [...objects].flatMap((each) => Object.values(each))) {
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
