import { RE2JS } from 're2js';

/** An expression as RE2 has it, so that no pattern can hang the sandbox; undefined when it cannot be read. */
export function compileRegularExpression(expression: string, flags: number): RE2JS | undefined {
  try {
    return RE2JS.compile(expression, flags);
  } catch {
    return undefined;
  }
}

/** True when a shell pattern (`*`, `?`, `[a-z]`, `[!x]`) matches the whole text. */
export function matchesGlob(pattern: string, text: string): boolean {
  if (!isPattern(pattern)) return pattern.replace(/\\([\s\S])/g, '$1') === text;
  return compileRegularExpression(expressionOf(pattern, '.*'), RE2JS.DOTALL)?.matcher(text).matches() === true;
}

/** True when the text has a character that makes it a pattern. */
export function isPattern(text: string): boolean {
  return /[*?[]/.test(text.replace(/\\./g, ''));
}

/** Quotes a text so that as a pattern it matches only itself. */
export function quotePattern(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

/** Cuts a prefix (`#`, `##`) or suffix (`%`, `%%`) that matches: the shortest, or the longest. */
export function cutPattern(text: string, pattern: string, operator: string): string {
  const cut = `(?:${expressionOf(pattern, operator === '#' ? '.*?' : '.*')})`;
  const rest = operator === '%%' ? '(.*?)' : '(.*)';
  const matcher = compileRegularExpression(operator.startsWith('#') ? cut + rest : rest + cut, RE2JS.DOTALL)?.matcher(
    text,
  );
  return matcher?.matches() === true ? (matcher.group(1) ?? '') : text;
}

function expressionOf(pattern: string, any: string): string {
  return pattern.replace(/\\([\s\S])|\[([!^]?)(\]?[^\]]*)\]|[\s\S]/g, (...found) => {
    const [char = '', quoted, not, members] = found as (string | undefined)[];
    if (members !== undefined) return `[${not === '' ? '' : '^'}${members.replace(/[\\[\]^]/g, '\\$&')}]`;
    if (quoted === undefined && char === '*') return any;
    return quoted === undefined && char === '?' ? '.' : RE2JS.quote(quoted ?? char);
  });
}
