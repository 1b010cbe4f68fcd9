import { isJsonObject } from './json';

/**
 * The one JSON text of a value: no white space, members in the order of their UTF-16 code units, members with the value
 * `undefined` left out. Lone surrogates become U+FFFD, as a Kubernetes API server stores them, so the text is the same
 * before and after a value was stored there.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each ?? null)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(typeof value === 'string' ? wellFormed(value) : (value ?? null));
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(wellFormed(key))}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
