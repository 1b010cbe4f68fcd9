import type { Text } from '@codemirror/state';

/** The smallest replacement that makes one text of another, so that the cursor stays where it is; undefined for equal texts. */
export function changeBetween(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let end = 0;
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** From the first character of a line that is no space to its end. Lines count from 1; the nearest line counts for others. */
export function rangeOfLine(doc: Text, line: number): readonly [number, number] {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const indent = found.text.length - found.text.trimStart().length;
  return [found.from + (indent === found.text.length ? 0 : indent), found.to];
}
