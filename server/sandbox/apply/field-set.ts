import { isJsonObject, type JsonObject } from '@/lib/json/json';

/** One step of a path as FieldsV1 writes it: `f:name`, `k:{"name":"c"}`, `v:"x"`, `i:0`. */
export type PathElement = string;

interface Entry {
  /** The path itself belongs to the set, not only something below it. */
  member: boolean;
  below: FieldSet | undefined;
}

/**
 * A set of field paths as a tree (structured-merge-diff fieldpath.Set). Operations return other sets, which may share parts
 * with these; only `insert` changes one, and only who made it with `new` may do so.
 */
export class FieldSet {
  private readonly entries = new Map<PathElement, Entry>();
  private json: JsonObject | undefined;

  /**
   * Reads `fieldsV1`; what is no path is left out. Stored objects do not change, so the same JSON gives the same set;
   * it must not be inserted into.
   */
  static fromJson(fields: unknown): FieldSet {
    if (!isJsonObject(fields)) return new FieldSet();
    const known = parsed.get(fields);
    if (known !== undefined) return known;
    const set = FieldSet.parse(fields);
    parsed.set(fields, set);
    return set;
  }

  private static parse(fields: JsonObject): FieldSet {
    const set = new FieldSet();
    for (const [element, value] of Object.entries(fields)) {
      if (element === '.' || !isJsonObject(value)) continue;
      const below = FieldSet.parse(value);
      const empty = below.isEmpty();
      set.entries.set(element, { member: empty || Object.hasOwn(value, '.'), below: empty ? undefined : below });
    }
    return set;
  }

  /** `fieldsV1` of the set, elements sorted. Always the same object, not to be changed; reading it gives this set again. */
  toJson(): JsonObject {
    if (this.json === undefined) {
      this.json = this.write();
      parsed.set(this.json, this);
    }
    return this.json;
  }

  private write(isMember = false): JsonObject {
    const fields: JsonObject = isMember ? { '.': {} } : {};
    for (const element of [...this.entries.keys()].sort()) {
      const entry = this.entries.get(element);
      if (entry !== undefined) fields[element] = entry.below?.write(entry.member) ?? {};
    }
    return fields;
  }

  insert(path: readonly PathElement[]): void {
    this.json = undefined;
    let set: FieldSet = this;
    for (const [index, element] of path.entries()) {
      const entry = set.entryOf(element);
      if (index === path.length - 1) entry.member = true;
      else {
        entry.below ??= new FieldSet();
        set = entry.below;
      }
    }
  }

  private entryOf(element: PathElement): Entry {
    let entry = this.entries.get(element);
    if (entry === undefined) {
      entry = { member: false, below: undefined };
      this.entries.set(element, entry);
    }
    return entry;
  }

  isEmpty(): boolean {
    for (const { member, below } of this.entries.values()) {
      if (member || below?.isEmpty() === false) return false;
    }
    return true;
  }

  /** True when the element itself is in the set. */
  has(element: PathElement): boolean {
    return this.entries.get(element)?.member === true;
  }

  /** What the set holds below an element. */
  below(element: PathElement): FieldSet | undefined {
    return this.entries.get(element)?.below;
  }

  union(other: FieldSet): FieldSet {
    return this.combine(other, 'all');
  }

  intersection(other: FieldSet): FieldSet {
    return this.combine(other, 'both');
  }

  /** Without the very paths of the other set; what lies below them stays. */
  difference(other: FieldSet): FieldSet {
    return this.combine(other, 'first');
  }

  private combine(other: FieldSet, which: 'all' | 'both' | 'first'): FieldSet {
    // Sets are not changed once they are made, so what one side alone decides is shared, not copied.
    if (other.entries.size === 0 && which !== 'both') return this;
    if (this.entries.size === 0) return which === 'all' ? other : EMPTY;
    const result = new FieldSet();
    let isSame = true;
    for (const [element, mine] of this.entries) {
      const theirs = other.entries.get(element);
      const alone = which === 'both' ? undefined : mine;
      const entry = theirs === undefined ? alone : FieldSet.combineEntries(mine, theirs, which);
      if (entry !== mine) isSame = false;
      if (entry !== undefined) result.entries.set(element, entry);
    }
    for (const [element, theirs] of which === 'all' ? other.entries : []) {
      if (this.entries.has(element)) continue;
      isSame = false;
      result.entries.set(element, theirs);
    }
    return isSame ? this : result;
  }

  /** What two sets hold at and below an element that both have; the very entry of the first when it stays as it is. */
  private static combineEntries(mine: Entry, theirs: Entry, which: 'all' | 'both' | 'first'): Entry | undefined {
    const combined = (mine.below ?? EMPTY).combine(theirs.below ?? EMPTY, which);
    const below = combined.isEmpty() ? undefined : combined;
    const isSecond = which === 'first' ? !theirs.member : theirs.member;
    const member = which === 'all' ? mine.member || isSecond : mine.member && isSecond;
    if (member === mine.member && below === mine.below) return mine;
    return member || below !== undefined ? { member, below } : undefined;
  }

  /** Only what lies at or below elements that the filter takes. */
  filterTop(takes: (element: PathElement) => boolean): FieldSet {
    const result = new FieldSet();
    for (const [element, entry] of this.entries) if (takes(element)) result.entries.set(element, entry);
    return result;
  }

  /** Every path of the set, parents before what lies below them. */
  *paths(prefix: readonly PathElement[] = []): Generator<PathElement[]> {
    for (const element of [...this.entries.keys()].sort()) {
      const entry = this.entries.get(element);
      if (entry?.member === true) yield [...prefix, element];
      if (entry?.below !== undefined) yield* entry.below.paths([...prefix, element]);
    }
  }

  /** The same set, where elements that have something below them are changed; the other ones stay. */
  mapInner(change: (element: PathElement, below: FieldSet) => { isMember: boolean; below: FieldSet }): FieldSet {
    const result = new FieldSet();
    for (const [element, entry] of this.entries) {
      const changed = entry.below === undefined ? undefined : change(element, entry.below);
      const { isMember = false, below } = changed ?? {};
      result.entries.set(element, { member: entry.member || isMember, below });
    }
    return result;
  }
}

const EMPTY = new FieldSet();
const parsed = new WeakMap<JsonObject, FieldSet>();
