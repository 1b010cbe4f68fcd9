/** A document may be a hundred levels deep; the package breaks at about eight hundred. */
const MOST = 250;
const [LF, CR] = [0x0a, 0x0d];
const OPENING = new Set([...'[{'].map((each) => each.charCodeAt(0)));
const CLOSING = new Set([...']}'].map((each) => each.charCodeAt(0)));
const LEADING = new Set([...' \t-?:'].map((each) => each.charCodeAt(0)));

/**
 * True for a text that may be nested so deeply that the `yaml` package, which reads by recursion, runs out of stack. Checks
 * brackets and the start of lines only, without parsing: for the editor, whose author sees the result.
 */
export function looksDeep(text: string): boolean {
  let open = 0;
  let leading = 0;
  let isLeading = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || code === CR) {
      leading = 0;
      isLeading = true;
      continue;
    }
    isLeading &&= LEADING.has(code);
    if (isLeading) leading += 1;
    if (OPENING.has(code)) open += 1;
    else if (CLOSING.has(code) && open > 0) open -= 1;
    if (open > MOST || leading > MOST) return true;
  }
  return false;
}
