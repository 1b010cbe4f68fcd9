/** How Kubernetes makes property names usable in CEL (apiserver schema/cel/model Escape). */

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** `a-b` → `a__dash__b`; undefined when a name cannot be reached from CEL. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  const escaped = name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

const TOKENS =
  /[rR]?"""[\s\S]*?"""|[rR]?'''[\s\S]*?'''|[rR]?"(?:\\.|[^"\\\n])*"|[rR]?'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|[\s\S]/g;

/**
 * Turns `matches(` into `re2Matches(`, so that patterns of outside text never reach the platform's regular
 * expressions. Texts in quotes stay as they are.
 */
export function withSafeMatches(expression: string): string {
  return (expression.match(TOKENS) ?? []).map((token) => (token === 'matches' ? 're2Matches' : token)).join('');
}

/** True when an expression speaks of a name, outside quotes. */
export function mentions(expression: string, name: string): boolean {
  return expression.match(TOKENS)?.some((token) => token === name) ?? false;
}
