import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { parseDuration } from '@/lib/kudo/plan/deadlines';
import { type PackageProblem, problemAt } from './types';

/** Where the reading of one file collects what is wrong. */
export interface FileContext {
  readonly file: string;
  readonly problems: PackageProblem[];
  lineOf(path: readonly (string | number)[]): number;
}

/**
 * Reads typed fields of a YAML map as Go's lenient JSON decoder does: unknown keys are ignored, keys match without regard
 * to case when there is no exact one, numbers and booleans become strings where a string is required, null counts as absent.
 * A value of the wrong shape is a problem at its line, and reads as absent.
 */
export class Fields {
  private readonly keys: ReadonlyMap<string, string>;

  constructor(
    private readonly value: JsonObject,
    readonly path: readonly (string | number)[],
    private readonly context: FileContext,
  ) {
    this.keys = new Map(Object.keys(value).map((key) => [key.toLowerCase(), key]));
  }

  /** A string; numbers and booleans are converted (`5.7` → `5.7`, `1.10` → `1.1`). */
  text(name: string): string | undefined {
    const found = this.any(name);
    if (found === undefined || typeof found === 'string') return found;
    if (typeof found === 'number' || typeof found === 'boolean') return String(found);
    return this.wrong(name, 'a string');
  }

  /** True when a string was written as a number, and so may have lost trailing zeros. */
  isNumber(name: string): boolean {
    return typeof this.any(name) === 'number';
  }

  /** A duration of Go (`90s`, `1h30m`), as it was written. */
  duration(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || (parseDuration(text) ?? 0) > 0) return text;
    return this.wrong(name, 'a duration such as 90s, 10m or 1h30m');
  }

  flag(name: string): boolean | undefined {
    const found = this.any(name);
    return found === undefined || typeof found === 'boolean' ? found : this.wrong(name, 'true or false');
  }

  whole(name: string): number | undefined {
    const found = this.any(name);
    if (found === undefined) return undefined;
    return typeof found === 'number' && Number.isInteger(found) ? found : this.wrong(name, 'a whole number');
  }

  /** The members of a list, each read by `read`. */
  list<T>(name: string, read: (fields: Fields) => T): T[] {
    return this.items(name).flatMap(({ value, path }) => {
      if (value === null) return [read(new Fields({}, path, this.context))];
      if (isJsonObject(value)) return [read(new Fields(value, path, this.context))];
      this.report(path, `a member of "${name}" must be a map`);
      return [];
    });
  }

  texts(name: string): string[] | undefined {
    if (this.any(name) === undefined) return undefined;
    return this.items(name).flatMap(({ value, path }) => {
      if (typeof value === 'string') return [value];
      if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
      this.report(path, `a member of "${name}" must be a string`);
      return [];
    });
  }

  values(name: string): JsonValue[] | undefined {
    return this.any(name) === undefined ? undefined : this.items(name).map(({ value }) => value);
  }

  /** The members of a map of maps, each read by `read`, in the order of the file. */
  map<T>(name: string, read: (fields: Fields) => T): { [key: string]: T } {
    const found = this.any(name);
    const result: { [key: string]: T } = {};
    if (found === undefined) return result;
    if (!isJsonObject(found)) return this.wrong(name, 'a map') ?? result;
    for (const [key, value] of Object.entries(found)) {
      const path = [...this.pathOf(name), key];
      if (value === null || isJsonObject(value)) result[key] = read(new Fields(value ?? {}, path, this.context));
      else this.report(path, `"${key}" must be a map`);
    }
    return result;
  }

  child<T>(name: string, read: (fields: Fields) => T): T | undefined {
    const found = this.any(name);
    if (found === undefined) return undefined;
    if (!isJsonObject(found)) return this.wrong(name, 'a map');
    return read(new Fields(found, this.pathOf(name), this.context));
  }

  /** The value as it is; null is absent. */
  any(name: string): JsonValue | undefined {
    const key = this.keyOf(name);
    return key === undefined ? undefined : (this.value[key] ?? undefined);
  }

  /** True when the file names the key, even with null behind it. */
  has(name: string): boolean {
    return this.keyOf(name) !== undefined;
  }

  /** Reports what is wrong with the value of a key, at its line. */
  problem(name: string, message: string): void {
    this.report(this.pathOf(name), message);
  }

  /** Reports what is wrong with a value below this map, at its line. */
  problemBelow(path: readonly (string | number)[], message: string): void {
    this.report([...this.path, ...path], message);
  }

  /** The keys as the file has them. */
  names(): string[] {
    return Object.keys(this.value);
  }

  private items(name: string): { value: JsonValue; path: (string | number)[] }[] {
    const found = this.any(name);
    if (found === undefined) return [];
    if (!Array.isArray(found)) return this.wrong(name, 'a list') ?? [];
    return found.map((value, index) => ({ value, path: [...this.pathOf(name), index] }));
  }

  private keyOf(name: string): string | undefined {
    return Object.hasOwn(this.value, name) ? name : this.keys.get(name.toLowerCase());
  }

  private pathOf(name: string): (string | number)[] {
    return [...this.path, this.keyOf(name) ?? name];
  }

  private wrong(name: string, wanted: string): undefined {
    this.report(this.pathOf(name), `"${name}" must be ${wanted}`);
    return undefined;
  }

  private report(path: readonly (string | number)[], message: string): void {
    const { file, problems, lineOf } = this.context;
    problems.push(problemAt(file, lineOf(path), message));
  }
}

/** Leaves out members that are undefined, so that optional fields are absent. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
