const BETWEEN_WORDS = /(?:\s+|(?<=^|\s)#[^\n]*)*/y;
/** A piece of a word: an escaped character, a text in double or single quotes, or plain characters. */
const PIECE = /\\([\s\S])|"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|([^\s"'\\]+)/y;

/**
 * Splits a command line into words as google/shlex does: white space separates, quotes keep it, a backslash keeps the next
 * character (not within single quotes), `#` at the beginning of a word starts a comment. There are no pipes and no globs.
 *
 * @returns the words, or what is wrong with the text
 */
export function splitWords(text: string): string[] | string {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    at += matchAt(BETWEEN_WORDS, text, at)?.[0].length ?? 0;
    if (at >= text.length) return words;
    let word = '';
    while (at < text.length && !/\s/.test(text.charAt(at))) {
      const piece = matchAt(PIECE, text, at);
      if (piece === undefined) {
        return text.charAt(at) === '\\' ? 'EOF found after escape character' : 'EOF found when expecting closing quote';
      }
      const [whole, escaped, double, single, plain] = piece;
      word += escaped ?? double?.replace(/\\([\s\S])/g, '$1') ?? single ?? plain ?? '';
      at += whole.length;
    }
    words.push(word);
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
