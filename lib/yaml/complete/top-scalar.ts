/**
 * The scalar of a key at the root of a YAML document, read from its line alone: the rest may be half written, and a parser takes too long
 * for each keystroke. Undefined without such a line; without quotes and comments.
 */
export function topScalar(text: string, key: string): string | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${key}:`));
  const value = line
    ?.slice(key.length + 1)
    .replace(/(^|\s)#.*$/, '')
    .trim();
  return value?.replace(/^(["'])(.*)\1$/, '$2');
}
