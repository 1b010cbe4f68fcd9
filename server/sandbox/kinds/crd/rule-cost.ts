import type { JsonSchema } from '@/lib/schema/json-schema';

/** Elements that a list without a bound may have in one object (3 MiB of the smallest elements). */
const UNBOUNDED_LIST = 1_500_000;
const UNBOUNDED_TEXT = 3_000_000;
/** One comparison of two values. */
const STEP = 3;

/**
 * An upper estimate of the steps of a rule: the sizes of the lists that nested macros walk, multiplied. It is coarser
 * than cel-go's estimator: it counts macros by their nesting and takes the bounds of the schema level by level.
 */
export function estimateCost(rule: string, schema: JsonSchema): number {
  const depth = macroDepth(rule);
  const sizes = boundsOf(schema);
  let cost = STEP;
  for (let level = 0; level < depth; level++) cost *= sizes[Math.min(level, sizes.length - 1)] ?? 1;
  const walksText = /\.(contains|matches|find|split|replace)\(|oldSelf/.test(rule);
  return walksText ? cost * Math.max(1, textBound(schema) / 10) : cost;
}

/** How deep macros stand inside each other. */
function macroDepth(rule: string): number {
  let deepest = 0;
  const open: boolean[] = [];
  for (const token of rule.match(/\.(?:all|exists|exists_one|map|filter)\(|"[^"]*"|'[^']*'|[()]/g) ?? []) {
    if (token === '(') open.push(false);
    else if (token === ')') open.pop();
    else if (token.startsWith('.')) open.push(true);
    deepest = Math.max(deepest, open.filter(Boolean).length);
  }
  return deepest;
}

/** The largest sizes of the lists and maps of a schema, one a nesting level. */
function boundsOf(schema: JsonSchema): number[] {
  if (schema.type === 'array') return [schema.maxItems ?? UNBOUNDED_LIST, ...boundsOf(schema.items ?? {})];
  if (typeof schema.additionalProperties === 'object') {
    return [schema.maxProperties ?? UNBOUNDED_LIST, ...boundsOf(schema.additionalProperties)];
  }
  const inner = Object.values(schema.properties ?? {}).map(boundsOf);
  const longest = inner.reduce((best, each) => Math.max(best, each.length), 0);
  return Array.from({ length: longest }, (_, level) => Math.max(...inner.map((each) => each[level] ?? 1)));
}

function textBound(schema: JsonSchema): number {
  return schema.type === 'string' ? (schema.maxLength ?? UNBOUNDED_TEXT) : 1;
}

/** True when a text that a `messageExpression` builds may grow beyond bounds: unbounded parts are put together. */
export function buildsLongText(expression: string | undefined): boolean {
  return (expression?.match(/\bstring\(/g)?.length ?? 0) > 1;
}
