/** What the shell takes as it is, wherever it stands in a word. */
const PLAIN = /^[A-Za-z0-9_@%+:,./=-]+$/;

/**
 * A text as one word of a POSIX shell. Between single quotes nothing has a meaning, also no `$` and no line break; a single quote itself
 * stands outside of them.
 */
export function shellQuote(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command line of these words. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellQuote).join(' ');
}
