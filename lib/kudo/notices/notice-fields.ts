import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';

/**
 * Reads the members of one notice strictly. A value of the wrong shape is a problem and reads as absent. Messages name members and
 * never show values: any of them may be a secret in the wrong place.
 */
export class NoticeFields {
  constructor(
    private readonly value: JsonObject,
    /** Takes a problem with the member that it is about; undefined: the whole notice. */
    readonly report: (member: string | undefined, message: string) => void,
  ) {}

  has(name: string): boolean {
    return Object.hasOwn(this.value, name);
  }

  /** Reports every member that is none of these. */
  allow(names: readonly string[]): void {
    for (const name of Object.keys(this.value)) {
      if (names.includes(name)) continue;
      const shown = /^[A-Za-z][A-Za-z-]{0,30}$/.test(name) ? `\`${name}\`` : 'a member';
      this.report(name, `${shown} is not a member of a notice; it has ${names.join(', ')}`);
    }
  }

  text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const found = this.value[name];
    if (typeof found === 'string' && found !== '') return found;
    return this.wrong(name, 'a text that is not empty');
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    if (!this.has(name)) return undefined;
    return allowed.find((each) => each === this.value[name]) ?? this.wrong(name, `one of ${allowed.join(', ')}`);
  }

  /** A list of texts; none may be empty. */
  texts(name: string): readonly string[] | undefined {
    return this.members(name, (member) => (typeof member === 'string' && member !== '' ? member : undefined), 'texts');
  }

  /** A list of some of these. */
  someOf<T extends string>(name: string, allowed: readonly T[]): readonly T[] | undefined {
    return this.members(name, (member) => allowed.find((each) => each === member), `some of ${allowed.join(', ')}`);
  }

  /** A map with one member, a map of texts. */
  mapIn(name: string, member: string): { readonly [key: string]: string } | undefined {
    if (!this.has(name)) return undefined;
    const outer = this.value[name];
    const inner = isJsonObject(outer) && Object.keys(outer).length === 1 ? outer[member] : undefined;
    const entries = isJsonObject(inner) ? Object.entries(inner) : [];
    const texts = entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []));
    if (texts.length === 0 || texts.length !== entries.length || texts.length > limits.notices.listEntries) {
      return this.wrong(name, `a map with \`${member}\`, which is a map of texts`);
    }
    return Object.fromEntries(texts);
  }

  private members<T>(
    name: string,
    read: (member: JsonValue) => T | undefined,
    words: string,
  ): readonly T[] | undefined {
    if (!this.has(name)) return undefined;
    const found = this.value[name];
    const list = Array.isArray(found) ? found : [];
    const members = list.flatMap((member) => read(member) ?? []);
    if (members.length > 0 && members.length === list.length && list.length <= limits.notices.listEntries) {
      return members;
    }
    return this.wrong(name, `a list of ${words}, with 1 to ${limits.notices.listEntries} entries`);
  }

  private wrong(name: string, wanted: string): undefined {
    this.report(name, `\`${name}\` must be ${wanted}`);
    return undefined;
  }
}
