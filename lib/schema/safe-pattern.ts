import { RE2JS, RE2JSSyntaxException } from 're2js';

const compiled = new Map<string, RE2JS | undefined>();
const MAX_PATTERNS = 2_000;

/**
 * A pattern of outside text in RE2 syntax, which matches in linear time; undefined when it is no pattern. The last
 * 2,000 patterns are kept.
 */
export function safePattern(pattern: string): RE2JS | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  if (compiled.size >= MAX_PATTERNS) compiled.clear();
  const result = compile(pattern);
  compiled.set(pattern, result);
  return result;
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

/** True when the pattern is found somewhere in the value; a text that is no pattern matches nothing. */
export function matchesPattern(pattern: string, value: string): boolean {
  return safePattern(pattern)?.matcher(value).find() ?? false;
}

/** Why a text is no pattern, in the words of Go's regexp package; undefined when it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error.message.replace(/ of expression$/, ' of expression: ``');
    return `error parsing regexp: ${pattern}`;
  }
}
