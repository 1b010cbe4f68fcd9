import { getAt, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { duplicate, fieldForbidden, fieldNotFound, invalid, notSupported, required } from '@/lib/schema/field-error';
import type { FieldError } from './strategy';

/** A field of an object that is validated: its value, its path, and the list that takes what is wrong with it. */
export class CheckedField {
  constructor(
    readonly faults: FieldError[],
    readonly value: JsonValue | undefined,
    readonly path = '',
  ) {}

  /** A member, or a member of a member. */
  at(...keys: readonly string[]): CheckedField {
    const inner = keys.join('.');
    return new CheckedField(
      this.faults,
      getAt(this.value, ...keys),
      this.path === '' ? inner : `${this.path}.${inner}`,
    );
  }

  /** A member of a map, written `data[key]`. */
  key(name: string): CheckedField {
    return new CheckedField(this.faults, getAt(this.value, name), `${this.path}[${name}]`);
  }

  /** Those of some members that are there. */
  given(...keys: readonly string[]): CheckedField[] {
    return keys.map((key) => this.at(key)).filter(({ isGiven }) => isGiven);
  }

  get items(): CheckedField[] {
    const list = Array.isArray(this.value) ? this.value : [];
    return list.map((item, index) => new CheckedField(this.faults, item, `${this.path}[${index}]`));
  }

  get isGiven(): boolean {
    return (this.value ?? null) !== null;
  }

  get object(): JsonObject {
    return isJsonObject(this.value) ? this.value : {};
  }

  get text(): string {
    return typeof this.value === 'string' ? this.value : '';
  }

  get texts(): string[] {
    return this.items.map(({ text }) => text);
  }

  get number(): number | undefined {
    return typeof this.value === 'number' ? this.value : undefined;
  }

  invalid(detail: string, shown: unknown = this.value): void {
    this.faults.push(invalid(this.path, shown, detail));
  }

  required(detail?: string): void {
    this.faults.push(required(this.path, detail));
  }

  forbidden(detail: string): void {
    this.faults.push(fieldForbidden(this.path, detail));
  }

  duplicate(shown: unknown = this.value): void {
    this.faults.push(duplicate(this.path, shown));
  }

  notFound(): void {
    this.faults.push(fieldNotFound(this.path, this.value));
  }

  notSupported(supported: readonly string[], shown: unknown = this.value ?? ''): void {
    this.faults.push(notSupported(this.path, shown, supported));
  }

  /** An optional text that must be one of those. */
  oneOf(supported: readonly string[]): void {
    if (this.isGiven && !supported.includes(this.text)) this.notSupported(supported);
  }

  /** An optional text that must pass a check. */
  check(problemsOf: (text: string) => readonly string[]): void {
    if (typeof this.value === 'string') for (const problem of problemsOf(this.value)) this.invalid(problem);
  }

  /** A text that must be there and pass a check. */
  name(problemsOf: (text: string) => readonly string[] = () => []): void {
    if (this.text === '') this.required();
    else this.check(problemsOf);
  }

  /** Each of these members must not be below 0. */
  notNegative(...keys: readonly string[]): void {
    for (const field of this.given(...keys)) {
      if ((field.number ?? 0) < 0) field.invalid('must be greater than or equal to 0');
    }
  }
}
