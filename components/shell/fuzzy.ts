/** Shorter words are in every text. */
const LEAST_CHARS = 3;

/**
 * How well a text fits a word: 0 begins with it, 1 a part of it begins with it, 2 it is somewhere inside, 3 its letters come in this order and begin a
 * part (`pgdb` in `postgres-gold-db`); undefined does not fit. Both in lower case.
 */
export function fitOf(text: string, word: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return isPartStart(text, at) || text.includes(`-${word}`) ? 1 : 2;
  return word.length >= LEAST_CHARS && isSpread(text, word) ? 3 : undefined;
}

function isPartStart(text: string, at: number): boolean {
  return /[\s\-./_]/.test(text[at - 1] ?? '');
}

/** True when the letters come in order, each either right behind the one before or at the start of a part. */
function isSpread(text: string, word: string): boolean {
  const starts = [...text].map((_, at) => at === 0 || isPartStart(text, at));
  // The places where the letters so far may end.
  let ends = new Set<number>();
  for (const [index, letter] of [...word].entries()) {
    const least = Math.min(...ends);
    const next = new Set<number>();
    for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) {
      const isBehind = index === 0 || at > least;
      if (isBehind && (ends.has(at - 1) || starts[at] === true)) next.add(at);
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return true;
}
