/** An error in an expression and its offset in units of 16 bits; -1 for the expression as a whole. */
export interface Finding {
  readonly at: number;
  readonly message: string;
}

/** The maximum number of reported errors of one expression (cel-go common MaxErrorsToReport). */
const MOST = 100;

/** The findings as cel-go prints them: place, message, the line and a caret under it. */
export function describeFindings(text: string, findings: readonly Finding[]): string {
  const characters = [...text];
  // Offsets of the parser are in units of 16 bits.
  const placed = findings.map(({ at, message }) => ({ at: at <= 0 ? at : [...text.slice(0, at)].length, message }));
  const sorted = placed.sort((a, b) => a.at - b.at);
  const shown = sorted.slice(0, MOST).map((each) => describe(characters, each));
  if (sorted.length > MOST) shown.push(`${sorted.length - MOST} more errors were truncated`);
  return shown.join('\n');
}

function describe(characters: readonly string[], { at, message }: Finding): string {
  if (characters.length === 0) return `ERROR: <input>:1:0: ${message}`;
  if (at < 0) return `ERROR: <input>:-1:0: ${message}`;
  const before = characters.slice(0, at);
  const line = before.filter((each) => each === '\n').length + 1;
  const start = before.lastIndexOf('\n') + 1;
  const end = characters.indexOf('\n', start);
  const row = characters.slice(start, end === -1 ? undefined : end).map((each) => (each === '\t' ? ' ' : each));
  const column = at - start;
  const isWide = (each: string | undefined) => each !== undefined && each.charCodeAt(0) > 127;
  const dots = row.slice(0, column).map((each) => (isWide(each) ? '．' : '.'));
  const caret = isWide(row[column]) ? '＾' : '^';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${row.join('')}\n | ${dots.join('')}${caret}`;
}
