import type { CelType } from './cel-type';
import { type CostRange, fixed, plus, scaled, times, UNKNOWN, union } from './cost-range';
import type { Expr } from './syntax-tree';

/** An argument whose cost is looked at. */
export interface Node {
  readonly expr: Expr | undefined;
  readonly path: readonly string[];
  readonly type: CelType | undefined;
  readonly size: CostRange | undefined;
}

/** What a call may cost without its arguments, and how large what it gives may be. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: CostRange;
}

const WALK = 0.1;
const PATTERN = 0.25;
const ONE = fixed(1);
/** Bytes of an address. */
const ADDRESS: CostRange = { min: 4, max: 16 };

type Estimate = (target: Node | undefined, args: readonly Node[], overload: string) => CallEstimate | undefined;

/** Estimates calls of functions (cel-go checker functionCost, its list and set libraries, apiserver cel/library EstimateCallCost). */
export class CallEstimator {
  private readonly byName: ReadonlyMap<string, Estimate>;
  private readonly byOverload: ReadonlyMap<string, Estimate>;

  /** @param sizeAt how large a value at a path may be; undefined where that is not known */
  constructor(private readonly sizeAt: (node: Pick<Node, 'path'>) => CostRange | undefined) {
    this.byName = this.kubernetesFunctions();
    this.byOverload = this.ownFunctions();
  }

  estimate(name: string, overload: string, target: Node | undefined, args: readonly Node[]): CallEstimate {
    const list = this.listCost(overload, target, args);
    if (list !== undefined) return list;
    const known = name === '_==_' ? equalityCost(args) : this.byName.get(name)?.(target, args, overload);
    return known ?? this.byOverload.get(overload)?.(target, args, overload) ?? { cost: ONE };
  }

  private size(node: Node | undefined): CostRange {
    if (node === undefined) return UNKNOWN;
    return node.size ?? this.sizeAt(node) ?? UNKNOWN;
  }

  private kubernetesFunctions(): ReadonlyMap<string, Estimate> {
    const first: Estimate = (_target, [text]) => ({ cost: scaled(this.size(text), WALK) });
    const sized: Estimate = (_target, [text]) => ({ cost: scaled(this.size(text), WALK), size: this.size(text) });
    const ofTarget: Estimate = (target) =>
      target === undefined ? undefined : { cost: scaled(this.size(target), WALK), size: this.size(target) };
    return new Map<string, Estimate>([
      ['check', () => ({ cost: fixed(350_000) })],
      ...each('fieldSelector labelSelector', (_target, [text]) => ({ cost: selectorCost(this.size(text)) })),
      ...each('isSorted sum max min indexOf lastIndexOf', (target) => this.walkCost(target)),
      ...each('url jsonpatch.escapeKey', sized),
      ...each('lowerAscii upperAscii substring trim', ofTarget),
      ['replace', (target, args) => this.replaceCost(target, args)],
      ['split', (target, args) => this.splitCost(target, args)],
      ['join', (target, args) => this.joinCost(target, args)],
      ...each('find findAll', (target, [pattern]) => ({
        cost: this.matchCost(target, pattern),
        size: { min: 0, max: this.size(target).max },
      })),
      ...each('cidr isIP isCIDR quantity isQuantity semver isSemver', first),
      ['ip', (_target, [text], overload) => ({ cost: overload === 'cidr_ip' ? ONE : scaled(this.size(text), WALK) })],
      ['ip.isCanonical', (_target, [text]) => ({ cost: scaled(this.size(text), 2 * WALK) })],
      [
        'containsIP',
        (_target, [other], overload) => ({ cost: this.holdsCost(other, overload === 'cidr_contains_ip_string') }),
      ],
      [
        'containsCIDR',
        (_target, [other], overload) => ({
          cost: plus(this.holdsCost(other, overload === 'cidr_contains_cidr_string'), scaled(ADDRESS, WALK), ONE),
        }),
      ],
      ['validate', (_target, [text]) => ({ cost: scaled(scaled(this.size(text), WALK), 128 * PATTERN) })],
    ]);
  }

  private ownFunctions(): ReadonlyMap<string, Estimate> {
    const compared: Estimate = (_target, [a, b]) => {
      const max = Math.min(this.size(a).max, this.size(b).max);
      return { cost: scaled({ min: max > 0 ? 1 : 0, max }, WALK) };
    };
    const orders = ['less', 'greater', 'less_equals', 'greater_equals'];
    return new Map<string, Estimate>([
      ...each('equals not_equals', compared),
      ...orders.flatMap((order) => each(`${order}_string ${order}_bytes`, compared)),
      ...each('add_string add_bytes', (_target, [a, b]) => {
        const size = plus(this.size(a), this.size(b));
        return { cost: scaled(size, WALK), size };
      }),
      ['add_list', (_target, [a, b]) => ({ cost: ONE, size: plus(this.size(a), this.size(b)) })],
      ['string_format', (target) => ({ cost: scaled(this.size(target), WALK) })],
      ['string_to_bytes', (_target, [text]) => this.resized(text, ({ min, max }) => ({ min, max: max * 4 }))],
      [
        'bytes_to_string',
        (_target, [bytes]) => this.resized(bytes, ({ min, max }) => ({ min: Math.floor(min / 4), max })),
      ],
      [
        'strings_quote',
        (_target, [text]) => this.resized(text, ({ min, max }) => ({ min: min + 2, max: max * 2 + 2 })),
      ],
      ...each('starts_with_string ends_with_string', (_target, [part]) => ({ cost: scaled(this.size(part), WALK) })),
      ['in_list', (_target, [, list]) => ({ cost: this.size(list) })],
      ['matches_string', (target, [pattern]) => ({ cost: this.matchCost(target, pattern) })],
      ['matches', (_target, [text, pattern]) => ({ cost: this.matchCost(text, pattern) })],
      [
        'contains_string',
        (target, [part]) => ({ cost: times(scaled(this.size(target), WALK), scaled(this.size(part), WALK)) }),
      ],
    ]);
  }

  private resized(node: Node | undefined, change: (size: CostRange) => CostRange): CallEstimate {
    const size = this.size(node);
    return { cost: scaled(size, WALK), size: change(size) };
  }

  private matchCost(text: Node | undefined, pattern: Node | undefined): CostRange {
    return times(scaled(plus(this.size(text), ONE), WALK), scaled(this.size(pattern), PATTERN));
  }

  private holdsCost(other: Node | undefined, isText: boolean): CostRange {
    const compared = scaled(plus(ADDRESS, ADDRESS), WALK);
    return isText ? plus(compared, scaled(this.size(other), WALK)) : compared;
  }

  /** The size of the items of a list. */
  private items(list: Node): Node | undefined {
    const type = list.type?.params[0];
    if (type === undefined) return undefined;
    const path = list.path.length === 0 ? [] : [...list.path, '@items'];
    return { expr: undefined, path, type, size: undefined };
  }

  private walkCost(target: Node | undefined): CallEstimate | undefined {
    if (target === undefined) return undefined;
    const item = this.items(target);
    if (item === undefined) return { cost: scaled(this.size(target), WALK) };
    const isText = item.type?.kind === 'string' || item.type?.kind === 'bytes';
    const each = isText ? plus(ONE, scaled(this.size(item), WALK)) : ONE;
    return { cost: times(this.size(target), each) };
  }

  private replaceCost(target: Node | undefined, [from, to]: readonly Node[]): CallEstimate | undefined {
    if (target === undefined || from === undefined || to === undefined) return undefined;
    const size = this.size(target);
    const old = this.size(from);
    const put = this.size(to);
    const most = old.min === 0 ? size.max + 1 : put.max <= old.min ? 0 : Math.ceil(size.max / old.min);
    const least = old.max === 0 ? size.min + 1 : old.max <= put.min ? 0 : Math.ceil(size.min / old.max);
    const kept = {
      min: old.max === 0 || old.max <= put.min ? size.min : 0,
      max: old.min === 0 || put.max <= old.min ? size.max : 0,
    };
    return { cost: scaled(size, 2 * WALK), size: plus(times({ min: least, max: most }, put), kept) };
  }

  private splitCost(target: Node | undefined, args: readonly Node[]): CallEstimate | undefined {
    if (target === undefined) return undefined;
    const size = this.size(target);
    const limit = wholeOf(args[1]);
    return { cost: scaled(size, 2 * WALK), size: { min: 0, max: limit ?? size.max } };
  }

  private joinCost(target: Node | undefined, [separator]: readonly Node[]): CallEstimate | undefined {
    if (target === undefined) return undefined;
    const count = this.size(target);
    const item = this.items(target);
    const texts = item === undefined ? fixed(0) : times(count, this.size(item));
    const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    const size = separator === undefined ? texts : plus(texts, times(this.size(separator), gaps));
    return { cost: scaled(size, WALK), size };
  }

  /** Functions of lists and sets that cel-go's own libraries estimate. */
  private listCost(overload: string, target: Node | undefined, args: readonly Node[]): CallEstimate | undefined {
    const [first, second] = args;
    if (overload.endsWith('_sort')) return this.selfCompared(target, overload);
    if (overload.endsWith('_sortByAssociatedKeys')) return this.selfCompared(first, overload);
    switch (overload) {
      case 'list_slice': {
        const end = wholeOf(second) ?? this.size(target).max;
        return made(fixed(end - (wholeOf(first) ?? 0)));
      }
      case 'lists_range':
        return made(fixed(wholeOf(first) ?? UNKNOWN.max));
      case 'list_reverse':
        return made(this.size(target));
      case 'list_flatten':
        return made(this.size(target));
      case 'list_flatten_int':
        return made(this.size(target), scaled(this.size(target), wholeOf(first) ?? UNKNOWN.max));
      case 'list_distinct':
        return this.selfCompared(target, target?.type?.params[0]?.kind ?? '');
      case 'list_sets_contains_list':
      case 'list_sets_intersects_list':
        return { cost: plus(times(this.size(first), this.size(second)), ONE) };
      case 'list_sets_equivalent_list':
        return { cost: plus(scaled(times(this.size(first), this.size(second)), 2), ONE) };
      default:
        return undefined;
    }
  }

  private selfCompared(list: Node | undefined, kind: string): CallEstimate {
    const size = this.size(list);
    const pairs = times(size, size);
    const factor = /^(?:list_)?(?:string|bytes)/.test(kind) ? 2 + WALK : 2;
    return made(pairs, scaled(pairs, factor));
  }
}

const made = (size: CostRange, cost: CostRange = size): CallEstimate => ({ cost: plus(cost, fixed(10), ONE), size });

function each(names: string, estimate: Estimate): [string, Estimate][] {
  return names.split(' ').map((name) => [name, estimate]);
}

/** The number of an argument that is written out; negative ones count as 0. */
function wholeOf(node: Node | undefined): number | undefined {
  const value = node?.expr?.kind === 'literal' ? node.expr.value : undefined;
  return typeof value === 'bigint' ? Math.max(0, Number(value)) : undefined;
}

const selectorCost = (size: CostRange): CostRange => plus(fixed(10), scaled(size, WALK), scaled(scaled(size, 0.5), 50));

const OPAQUE = /^(?:net\.(?:IP|CIDR)|kubernetes\.(?:Quantity|Semver|authorization\..*))$/;

/** Values of Kubernetes' own types are compared in one step. */
function equalityCost([a, b]: readonly Node[]): CallEstimate | undefined {
  const name = a?.type?.name ?? '';
  if (name !== b?.type?.name) return undefined;
  if (OPAQUE.test(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1, max: 64 }, WALK) };
  if (name !== 'kubernetes.URL') return undefined;
  const size = b?.size === undefined ? ONE : union(b.size, b.size);
  return { cost: scaled({ min: 1, max: size.max }, WALK) };
}
