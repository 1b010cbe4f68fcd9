import { isJsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { TemplateSlots } from './slots';

/** Names that depend on the Instance. */
export interface OwnNames {
  /** What the names of all objects begin with, and what becomes the name of the Instance; empty: names stay. */
  readonly prefix: string;
  readonly names: ReadonlySet<string>;
  /** The namespaces of the input. */
  readonly namespaces: ReadonlySet<string>;
}

/** The longest beginning that all names share, whole words of it: `shop` of `shop`, `shop-db` and `shop-web`. */
export function commonPrefix(objects: readonly KubeObject[]): string {
  // The name of a definition is its resource and its group.
  const names = objects.filter(({ kind }) => kind !== 'CustomResourceDefinition').map(nameOf);
  const [first, ...others] = names.map((name) => name.split('-'));
  if (first === undefined) return '';
  let length = first.length;
  for (const words of others) {
    let same = 0;
    while (same < length && words[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, length).join('-');
}

/** What follows the prefix: `db` of `shop-db`. */
export function shortName(name: string, prefix: string): string {
  if (prefix === '') return name;
  return name === prefix ? '' : name.slice(prefix.length + 1);
}

/** Maps whose values are labels: `app: shop` belongs to the Instance there. */
const LABELS = new Set(['labels', 'matchLabels', 'selector', 'nodeSelector']);

/** Members that name something inside the object itself. */
const INSIDE = new Set(['containers', 'initContainers', 'volumes', 'volumeMounts', 'ports', 'volumeClaimTemplates']);

/** The object with `.Name` and `.Namespace` where names of the input depend on them. Keys of maps stay. */
export function withInstanceNames(object: KubeObject, own: OwnNames, slots: TemplateSlots): KubeObject {
  if (own.prefix === '' && own.namespaces.size === 0) return object;
  return renamed(object as unknown as JsonValue, [], new Renamer(own, slots)) as unknown as KubeObject;
}

function renamed(value: JsonValue, path: readonly string[], renamer: Renamer): JsonValue {
  if (typeof value === 'string') return renamer.text(value, path);
  if (Array.isArray(value)) return value.map((each) => renamed(each, path, renamer));
  if (!isJsonObject(value)) return value;
  const result = {};
  for (const [key, member] of Object.entries(value)) setOwn(result, key, renamed(member, [...path, key], renamer));
  return result;
}

class Renamer {
  constructor(
    private readonly own: OwnNames,
    private readonly slots: TemplateSlots,
  ) {}

  text(text: string, path: readonly string[]): string {
    const [key = '', holder = ''] = [path.at(-1), path.at(-2)];
    if (path.length === 1) return text;
    if (key === 'namespace') return this.own.namespaces.has(text) ? this.slots.token('.Namespace') : text;
    if (key === 'name' && INSIDE.has(holder)) return text;
    const isLabel = LABELS.has(holder) && (text === this.own.prefix || text.startsWith(`${this.own.prefix}-`));
    if (isLabel || this.own.names.has(text)) return this.renamed(text);
    return this.addresses(text);
  }

  private renamed(name: string): string {
    if (this.own.prefix === '') return name;
    return `${this.slots.token('.Name')}${name.slice(this.own.prefix.length)}`;
  }

  /** Own names inside a text where they can only be host names: `shop-db:5432`, `http://shop-db`, `shop-db.shop.svc`. */
  private addresses(text: string): string {
    return text.replace(WORD, (word: string, _rest: string, at: number) => {
      const [before, after] = [text.slice(Math.max(0, at - 3), at), text.slice(at + word.length)];
      if (
        this.own.namespaces.has(word) &&
        before.endsWith('.') &&
        !text.slice(0, at).endsWith('kubernetes.') &&
        /^\.svc\b|^$|^:/.test(after)
      ) {
        return this.slots.token('.Namespace');
      }
      if (!/(^|[./@=,\s"'])$/.test(before)) return word;
      const base = this.own.names.has(word) ? word : word.replace(/-\d+$/, '');
      if (!this.own.names.has(base) || !isAddress(before, after, this.own.namespaces, base !== word)) return word;
      return this.renamed(base) + word.slice(base.length);
    });
  }
}

const WORD = /[a-z0-9]([a-z0-9-]*[a-z0-9])?/g;

function isAddress(before: string, after: string, namespaces: ReadonlySet<string>, isPod: boolean): boolean {
  if (/^:\d{2,5}\b/.test(after) || /^\.[a-z0-9-]+\.svc\b/.test(after)) return true;
  if (isPod) return after.startsWith('.');
  const domain = /^\.([a-z0-9-]+)/.exec(after)?.[1];
  if (domain !== undefined && (domain === 'svc' || namespaces.has(domain))) return true;
  return (before.endsWith('://') || before.endsWith('@')) && /^$|^[/?"'\s]/.test(after);
}
