import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { fullPath } from './subset';

/** Reads the members of an object of a suite; a member of the wrong type is a TerminalError with file, line and path. */
export class SuiteFields {
  constructor(
    private readonly value: JsonObject,
    private readonly place: { readonly file: string; lineOf(path: readonly (string | number)[]): number },
    private readonly path: readonly (string | number)[] = [],
  ) {}

  text(key: string): string | undefined {
    return this.typed(key, 'a text', (value) => (typeof value === 'string' ? value : undefined));
  }

  /** A whole number of seconds or of things. */
  count(key: string): number | undefined {
    return this.typed(key, 'a whole number', (value) => (Number.isSafeInteger(value) ? Number(value) : undefined));
  }

  flag(key: string): boolean | undefined {
    return this.typed(key, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  texts(key: string): readonly string[] | undefined {
    return this.typed(key, 'a list of texts', (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined,
    );
  }

  /** The texts of a map. */
  labels(key: string): { readonly [name: string]: string } | undefined {
    return this.typed(key, 'a map of texts', (value) =>
      isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')
        ? (value as { [name: string]: string })
        : undefined,
    );
  }

  map(key: string): SuiteFields | undefined {
    const value = this.typed(key, 'a map', (member) => (isJsonObject(member) ? member : undefined));
    return value === undefined ? undefined : new SuiteFields(value, this.place, [...this.path, key]);
  }

  /** The maps of a list; none when it is absent. */
  maps(key: string): readonly SuiteFields[] {
    const list = this.typed(key, 'a list of maps', (value) =>
      Array.isArray(value) && value.every(isJsonObject) ? value : undefined,
    );
    return (list ?? []).map((item, index) => new SuiteFields(item, this.place, [...this.path, key, index]));
  }

  raw(key: string): JsonValue | undefined {
    return this.value[key] ?? undefined;
  }

  /** An error at a member, or at the object itself. */
  problem(message: string, key?: string): TerminalError {
    const path = key === undefined ? this.path : [...this.path, key];
    const shown = path.length === 0 ? '' : `${fullPath(path)}: `;
    return new TerminalError(`${this.place.file}:${this.place.lineOf(path)}: ${shown}${message}`, 'InvalidSuite');
  }

  private typed<T>(key: string, wanted: string, read: (value: JsonValue) => T | undefined): T | undefined {
    const value = this.value[key];
    if (value === undefined || value === null) return undefined;
    const result = read(value);
    if (result === undefined) throw this.problem(`must be ${wanted}`, key);
    return result;
  }
}
