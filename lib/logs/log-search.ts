import type { LogLine } from './log-book';

/** Where in a line something was found. */
export interface FoundPart {
  readonly from: number;
  readonly to: number;
}

/** Finds a text in lines. */
export interface LineMatcher {
  matches(text: string): boolean;
  /** All places in one line, from left to right; not more than a page can draw. */
  parts(text: string): FoundPart[];
}

const MOST_PARTS = 50;

/** Finds a text, whatever the case of its letters, unless it has a capital one itself. */
export function textMatcher(query: string): LineMatcher {
  const isExact = query !== query.toLowerCase();
  const fold = (text: string) => (isExact ? text : text.toLowerCase());
  const wanted = fold(query);
  return {
    matches: (text) => fold(text).includes(wanted),
    parts(text) {
      const found: FoundPart[] = [];
      const folded = fold(text);
      for (
        let at = folded.indexOf(wanted);
        at >= 0 && found.length < MOST_PARTS;
        at = folded.indexOf(wanted, at + wanted.length)
      ) {
        found.push({ from: at, to: at + wanted.length });
      }
      return found;
    },
  };
}

/** A pattern that was compiled, as RE2 has it: it takes linear time whatever a line holds. */
export interface CompiledPattern {
  /** Several times as fast as `find`, since it does not say where. */
  test(text: string): boolean;
  matcher(text: string): { find(): boolean; start(): number; end(): number };
}

export function patternMatcher(pattern: CompiledPattern): LineMatcher {
  return {
    matches: (text) => pattern.test(text),
    parts(text) {
      const found: FoundPart[] = [];
      const matcher = pattern.matcher(text);
      while (found.length < MOST_PARTS && matcher.find()) {
        if (matcher.end() > matcher.start()) found.push({ from: matcher.start(), to: matcher.end() });
      }
      return found;
    },
  };
}

/**
 * The lines that a search finds. Lines that were looked at before are not looked at again, so that a log that is followed costs what is new.
 * One search is for one matcher.
 */
export class LogSearch {
  private readonly verdicts = new Map<number, boolean>();

  constructor(private readonly matcher: LineMatcher) {}

  /** The indexes of matching lines, in their order. */
  indexes(lines: readonly LogLine[]): number[] {
    // What was dropped from the log is forgotten.
    if (this.verdicts.size > lines.length * 2 + 1_000) this.verdicts.clear();
    const found: number[] = [];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at];
      if (line !== undefined && this.isMatch(line)) found.push(at);
    }
    return found;
  }

  private isMatch({ key, text }: LogLine): boolean {
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = this.matcher.matches(text);
    this.verdicts.set(key, verdict);
    return verdict;
  }
}

/** The next of sorted indexes after a place, or the one before it; around the end. */
export function nextMatch(found: readonly number[], at: number | undefined, step: 1 | -1): number | undefined {
  if (found.length === 0) return undefined;
  if (at === undefined) return step === 1 ? found[0] : found.at(-1);
  if (step === 1) return found.find((index) => index > at) ?? found[0];
  return found.findLast((index) => index < at) ?? found.at(-1);
}
