/** A comment. `//` inside of an address (`https://`) or behind a quote is none. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w\\])\/\/.*$/gm;

/** The comments of a TypeScript or JavaScript file. */
export function commentsOf(text: string): string[] {
  return [...text.matchAll(COMMENT)].map(([comment]) => comment);
}

/** The file without its comments. */
export function withoutComments(text: string): string {
  return text.replace(COMMENT, '');
}
