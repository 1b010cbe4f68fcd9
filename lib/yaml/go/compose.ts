import type { JsonObject, JsonValue } from '@/lib/json/json';
import { formatGoFloat } from '@/lib/template/format/float';
import { GoYamlError } from './cursor';
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from './nodes';
import { resolveScalar } from './resolve';

/** A key that occurs twice in one mapping. `line` counts from 1. */
export interface DuplicateKey {
  readonly key: string;
  readonly line: number;
}

export interface Composed {
  readonly value: JsonValue;
  /** In the order of the text. The last one wins. */
  readonly duplicates: readonly DuplicateKey[];
}

/**
 * The JSON value of a document as sigs.k8s.io/yaml converts it: aliases are resolved, `<<` merges its entries at its position,
 * keys become strings.
 * @param maxDepth levels of lists and maps, those of aliases included
 * @throws GoYamlError
 */
export function composeGoYaml(root: YamlNode, maxDepth: number): Composed {
  const composer = new Composer(maxDepth);
  return { value: composer.value(root, 0), duplicates: composer.duplicates };
}

class Composer {
  readonly duplicates: DuplicateKey[] = [];
  private readonly following = new Set<AliasNode>();
  /** The number of created nodes, and how many of them come from aliases. */
  private made = 0;
  private repeated = 0;

  constructor(private readonly maxDepth: number) {}

  value(node: YamlNode, depth: number): JsonValue {
    this.count(node);
    switch (node.kind) {
      case 'scalar':
        return this.scalar(node);
      case 'sequence':
        this.nest(node, depth);
        return node.items.map((item) => this.value(item, depth + 1));
      case 'mapping': {
        this.nest(node, depth);
        const result: JsonObject = {};
        this.fill(result, node, depth);
        return result;
      }
      case 'alias':
        return this.follow(node, () => this.value(node.target, depth));
    }
  }

  private nest(node: YamlNode, depth: number): void {
    if (depth >= this.maxDepth) throw failure(node, `The document is nested deeper than ${this.maxDepth} levels.`);
  }

  /** go-yaml's limit against alias expansion: the share of a document that may come from aliases. */
  private count(node: YamlNode): void {
    this.made += 1;
    if (this.following.size > 0) this.repeated += 1;
    if (this.repeated <= 100 || this.made <= 1000) return;
    if (this.repeated / this.made > allowedShare(this.made))
      throw failure(node, 'document contains excessive aliasing');
  }

  private scalar(node: ScalarNode): JsonValue {
    const value = resolveScalar(node);
    if (typeof value === 'bigint') return Number(value);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw failure(node, `JSON has no value for ${node.text}.`);
    }
    return value;
  }

  private follow<T>(node: AliasNode, what: () => T): T {
    if (this.following.has(node)) throw failure(node, `anchor '${node.name}' value contains itself`);
    this.following.add(node);
    const result = what();
    this.following.delete(node);
    return result;
  }

  /** Sets the entries of a mapping and overwrites existing ones. */
  private fill(result: JsonObject, node: MappingNode, depth: number): void {
    const own = new Set<string>();
    for (const [keyNode, valueNode] of node.pairs) {
      if (isMerge(keyNode)) {
        this.merge(result, valueNode, depth);
        continue;
      }
      const key = this.key(keyNode);
      if (own.has(key)) this.duplicates.push({ key, line: keyNode.line + 1 });
      own.add(key);
      const value = this.value(valueNode, depth + 1);
      if (key === '__proto__') Object.defineProperty(result, key, { value, ...OWN });
      else result[key] = value;
    }
  }

  /** Of a list of maps the first one wins. */
  private merge(result: JsonObject, node: YamlNode, depth: number): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind === 'mapping') {
      if (node.kind === 'alias') this.follow(node, () => this.fill(result, target, depth));
      else this.fill(result, target, depth);
      return;
    }
    if (node.kind !== 'sequence') throw failure(node, 'map merge requires map or sequence of maps as the value');
    for (const item of node.items.toReversed()) {
      const kind = item.kind === 'alias' ? item.target.kind : item.kind;
      if (kind !== 'mapping') throw failure(item, 'map merge requires map or sequence of maps as the value');
      this.merge(result, item, depth);
    }
  }

  private key(node: YamlNode): string {
    this.count(node);
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'scalar') throw failure(node, 'A key is a list or a map.');
    const value = resolveScalar(target);
    if (value === null) throw failure(node, 'A key is null.');
    if (typeof value === 'number') return floatKey(value);
    if (typeof value === 'bigint' && value >= 2n ** 63n) throw failure(node, `The key ${value} is too large.`);
    return String(value);
  }
}

/** From 99 % of 400,000 nodes down to 10 % of 4,000,000. */
function allowedShare(nodes: number): number {
  const [few, many] = [400_000, 4_000_000];
  if (nodes <= few) return 0.99;
  return nodes >= many ? 0.1 : 0.99 - (0.89 * (nodes - few)) / (many - few);
}

const OWN = { configurable: true, enumerable: true, writable: true };

function isMerge(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.text === '<<' && (node.isPlain || node.tag === 'tag:yaml.org,2002:merge');
}

/** Go writes keys that are floats with 32 bits: `0.1` is `0.1`, `16777217` is `1.6777216e+07`. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return formatGoFloat(Object.is(single, -0) ? -0 : short, 'g', -1);
  }
  return formatGoFloat(single, 'g', -1);
}

function failure(node: YamlNode, message: string): GoYamlError {
  return new GoYamlError(message, { index: 0, line: node.line, column: 0 }, 0, false);
}
