import { isJsonObject } from '@/lib/json/json';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A 32-bit FNV-1a of canonical JSON: the same value gives the same number, whatever the order of its keys. */
export function hashJson(value: unknown, salt = ''): number {
  let hash = 0x811c9dc5;
  const feed = (text: string): void => {
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  };
  const walk = (current: unknown): void => {
    if (Array.isArray(current)) {
      feed('[');
      for (const item of current) walk(item);
      feed(']');
    } else if (isJsonObject(current)) {
      feed('{');
      for (const key of Object.keys(current).sort()) {
        feed(JSON.stringify(key));
        walk(current[key]);
      }
      feed('}');
    } else {
      feed(JSON.stringify(current) ?? '');
    }
  };
  walk(value);
  feed(salt);
  return hash >>> 0;
}

/** The number as text of letters and digits that spell no word (Kubernetes rand.SafeEncodeString). */
export function encodeHash(hash: number): string {
  return Array.from(String(hash), (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('');
}
