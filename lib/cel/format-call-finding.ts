import type { CelType, TypeKind } from './cel-type';
import type { Finding } from './expression-error';
import { clausesOf, FORMAT_PROBLEMS } from './functions/format-text';
import type { CallExpr, Expr } from './syntax-tree';
import { CelError } from './values';

const TAKEN: { readonly [verb: string]: readonly TypeKind[] } = {
  b: ['int', 'uint', 'bool'],
  d: ['int', 'uint'],
  e: ['double', 'string'],
  f: ['double', 'string'],
  o: ['int', 'uint'],
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
};

/** What is wrong with `'…'.format([…])` where both are written out (cel-go ext stringFormatValidator). */
export function formatCallFinding(call: CallExpr, types: ReadonlyMap<Expr, CelType>): Finding[] {
  const [list] = call.args;
  const { target } = call;
  if (call.name !== 'format' || list?.kind !== 'list' || target?.kind !== 'literal') return [];
  if (typeof target.value !== 'string') return [];
  let next = 0;
  try {
    for (const { verb } of clausesOf(target.value)) {
      const item = list.items[next];
      if (item === undefined) return [{ at: call.at, message: `index ${next} out of range` }];
      next++;
      const bad = verb === 's' ? badText(item, types) : isTaken(verb, types.get(item)) ? undefined : item;
      if (bad === undefined) continue;
      const given = types.get(bad)?.name ?? '';
      return [{ at: bad.at, message: `error during formatting: ${FORMAT_PROBLEMS[verb] ?? ''}${given}` }];
    }
  } catch (error) {
    if (error instanceof CelError) return [{ at: call.at, message: error.message }];
    throw error;
  }
  const count = list.items.length;
  if (count <= next) return [];
  const text = `too many arguments supplied to string.format (expected ${next}, got ${count})`;
  return [{ at: call.at, message: text }];
}

const isTaken = (verb: string, type: CelType | undefined): boolean =>
  type === undefined || type.kind === 'dyn' || (TAKEN[verb] ?? []).includes(type.kind);

/** The first part of a value that cannot be written as text. */
function badText(item: Expr, types: ReadonlyMap<Expr, CelType>): Expr | undefined {
  if (!isTaken('s', types.get(item))) return item;
  const parts =
    item.kind === 'list'
      ? item.items
      : item.kind === 'map'
        ? item.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const bad = badText(part, types);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
