/** True when a shell pattern (`*`, `?`, `[a-z]`, `[!x]`) matches the whole text. Linear in both, no back-tracking blow-up. */
export function matchesGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const step = p < pattern.length && pattern[p] !== '*' ? matchOne(pattern, p, text[t] ?? '') : undefined;
    if (step !== undefined) {
      p = step;
      t++;
    } else if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** The place after the pattern's next element when it matches the character. */
function matchOne(pattern: string, at: number, char: string): number | undefined {
  const first = pattern[at];
  if (first === '?') return at + 1;
  if (first === '\\' && at + 1 < pattern.length) return pattern[at + 1] === char ? at + 2 : undefined;
  if (first === '[') {
    const end = pattern.indexOf(']', at + 2);
    if (end > 0) return matchesClass(pattern.slice(at + 1, end), char) ? end + 1 : undefined;
  }
  return first === char ? at + 1 : undefined;
}

function matchesClass(members: string, char: string): boolean {
  const negated = members.startsWith('!') || members.startsWith('^');
  const list = negated ? members.slice(1) : members;
  let found = false;
  for (let at = 0; at < list.length; at++) {
    const low = list[at] ?? '';
    const high = list[at + 1] === '-' && at + 2 < list.length ? (list[at + 2] ?? '') : low;
    if (high !== low) at += 2;
    if (char >= low && char <= high) found = true;
  }
  return found !== negated;
}

/** True when the text has a character that makes it a pattern. */
export function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

/** Quotes a text so that as a pattern it matches only itself. */
export function quotePattern(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

/** Cuts a prefix that matches: the shortest, or the longest (`${X#p}`, `${X##p}`). */
export function cutPrefix(text: string, pattern: string, longest: boolean): string {
  for (let count = 0; count <= text.length; count++) {
    const end = longest ? text.length - count : count;
    if (matchesGlob(pattern, text.slice(0, end))) return text.slice(end);
  }
  return text;
}

/** Cuts a suffix that matches (`${X%p}`, `${X%%p}`). */
export function cutSuffix(text: string, pattern: string, longest: boolean): string {
  for (let count = 0; count <= text.length; count++) {
    const start = longest ? count : text.length - count;
    if (matchesGlob(pattern, text.slice(start))) return text.slice(0, start);
  }
  return text;
}

/** Replaces the first or every longest match (`${X/p/r}`, `${X//p/r}`). */
export function replacePattern(text: string, pattern: string, replacement: string, every: boolean): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const length = matchLength(text, at, pattern);
    if (length === 0) {
      result += text[at++];
      continue;
    }
    result += replacement;
    at += length;
    if (!every) return result + text.slice(at);
  }
  return result;
}

function matchLength(text: string, at: number, pattern: string): number {
  for (let end = text.length; end > at; end--) {
    if (matchesGlob(pattern, text.slice(at, end))) return end - at;
  }
  return 0;
}
