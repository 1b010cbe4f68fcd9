import { CelCidr, CelIp } from './functions/addresses';
import { CelFormat } from './functions/formats';
import { textLength } from './text-length';
import { CelMap, CelOpaque, CelOptional, type CelValue, isCelList } from './values';

/** A text is walked at a tenth of a unit a character; a pattern costs a quarter a character of it. */
const WALK = 0.1;
const PATTERN = 0.25;
const walk = (size: number) => Math.ceil(size * WALK);

/** How large a value is for its cost: characters, bytes, members; 1 for all else. */
export function sizeOf(value: CelValue | undefined): number {
  if (typeof value === 'string') return textLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array || isCelList(value)) return value.length;
  if (value instanceof CelMap) return value.size;
  if (value instanceof CelIp) return value.bytes;
  if (value instanceof CelCidr) return Math.ceil(value.bits / 8);
  return value instanceof CelOptional && value.value !== undefined ? sizeOf(value.value) : 1;
}

type Cost = (args: readonly CelValue[], overload: string, result: CelValue | undefined) => number;

const parse: Cost = ([text]) => walk(sizeOf(text));
const traversal: Cost = ([list]) => traversalOf(list ?? null);
const twice: Cost = ([text]) => Math.ceil(sizeOf(text) * 2 * WALK);
const search: Cost = ([text, pattern]) => walk(1 + sizeOf(text)) * Math.ceil(sizeOf(pattern) * PATTERN);

/** The costs of functions of Kubernetes, whatever the overload (apiserver cel/library CostEstimator.CallCost). */
const BY_NAME = new Map<string, Cost>([
  ['check', () => 350_000],
  ...each('fieldSelector labelSelector', ([, text]) => selectorCost(sizeOf(text))),
  ...each('isSorted sum max min indexOf lastIndexOf', traversal),
  ...each('url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver', parse),
  ...each('jsonpatch.escapeKey', parse),
  ...each('replace split ip.isCanonical', twice),
  ['join', (_args, _overload, result) => Math.ceil(sizeOf(result) * 2 * WALK)],
  ...each('find findAll', search),
  ['ip', ([text], overload) => (overload === 'cidr_ip' ? 1 : walk(sizeOf(text)))],
  ['containsIP', ([cidr, other], overload) => holdsCost(cidr, other, overload === 'cidr_contains_ip_string')],
  [
    'containsCIDR',
    ([cidr, other], overload) =>
      holdsCost(cidr, other, overload === 'cidr_contains_cidr_string') + walk(sizeOf(cidr)) + 1,
  ],
  [
    'validate',
    ([format, text]) =>
      format instanceof CelFormat ? walk(1 + sizeOf(text)) * Math.ceil(format.patternSize * PATTERN) : 1,
  ],
]);

function each(names: string, cost: Cost): [string, Cost][] {
  return names.split(' ').map((name) => [name, cost]);
}

/** The costs of CEL's own overloads (cel-go interpreter costCall). */
const BY_OVERLOAD = new Map<string, Cost>([
  ...each('starts_with_string ends_with_string', ([, part]) => walk(sizeOf(part))),
  ...each('string_to_bytes bytes_to_string strings_quote string_format', ([text]) => walk(sizeOf(text))),
  ['in_list', ([, list]) => sizeOf(list)],
  ...each('add_string add_bytes', ([a, b]) => walk(sizeOf(a) + sizeOf(b))),
  ...each('matches matches_string', ([text, pattern]) => walk(1 + sizeOf(text)) * Math.ceil(sizeOf(pattern) * PATTERN)),
  ['contains_string', ([text, part]) => walk(sizeOf(text)) * walk(sizeOf(part))],
  ...each(
    'less_string greater_string less_equals_string greater_equals_string less_bytes greater_bytes less_equals_bytes greater_equals_bytes',
    ([a, b]) => walk(Math.min(sizeOf(a), sizeOf(b))),
  ),
  ...each('list_slice lists_range list_reverse', (_args, _overload, result) => 11 + sizeOf(result)),
  ['list_flatten', ([list]) => 11 + sizeOf(list)],
  ['list_flatten_int', ([list, depth]) => 11 + Math.floor(sizeOf(list) * (Number(depth) < 0 ? 1 : Number(depth)))],
  ['list_distinct', ([list]) => selfCompared(list)],
  ...each('list_sets_contains_list list_sets_intersects_list', ([a, b]) => 1 + sizeOf(a) * sizeOf(b)),
  ['list_sets_equivalent_list', ([a, b]) => 1 + 2 * sizeOf(a) * sizeOf(b)],
]);

/** Each item against each, as sorting does it in the worst case. */
function selfCompared(list: CelValue | undefined): number {
  const [first] = list !== undefined && isCelList(list) ? list : [];
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + WALK : 2;
  return 11 + Math.floor(sizeOf(list) ** 2 * (first === undefined ? 0 : factor));
}

/** The cost of one call in cel-go's units, from its arguments and its result. */
export function callCost(
  name: string,
  overload: string,
  args: readonly CelValue[],
  result: CelValue | undefined,
): number {
  if (name === '_==_' || name === '_!=_') {
    const [a, b] = args;
    return name === '_==_' && a instanceof CelOpaque ? 1 : walk(Math.min(sizeOf(a), sizeOf(b)));
  }
  if (overload.endsWith('_sort')) return selfCompared(args[0]);
  if (overload.endsWith('_sortByAssociatedKeys')) return selfCompared(args[1]);
  const cost = BY_NAME.get(name) ?? BY_OVERLOAD.get(overload);
  return cost?.(args, overload, result) ?? 1;
}

function holdsCost(cidr: CelValue | undefined, other: CelValue | undefined, isText: boolean): number {
  return Math.ceil(2 * sizeOf(cidr) * WALK) + (isText ? walk(sizeOf(other)) : 0);
}

const selectorCost = (size: number): number => 10 + walk(size) + Math.ceil(Math.ceil(size * 0.5) * 50);

function traversalOf(value: CelValue): number {
  if (typeof value === 'string') return Math.floor(new TextEncoder().encode(value).length * WALK);
  if (value instanceof Uint8Array) return Math.floor(value.length * WALK);
  if (isCelList(value)) return value.reduce((sum: number, item) => sum + traversalOf(item), 0);
  if (!(value instanceof CelMap)) return 1;
  return value.keys().reduce((sum: number, key) => sum + traversalOf(key) + traversalOf(value.find(key) ?? null), 0);
}
