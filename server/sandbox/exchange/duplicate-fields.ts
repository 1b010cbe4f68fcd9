import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';

/** What is odd in a JSON text: members that come twice, and the value when such members are merged. */
export interface Duplicates {
  /** `duplicate field "data.k"`, in the order of the text, as sigs.k8s.io/json's strict decoding names them. */
  readonly duplicates: readonly string[];
  readonly merged: JsonValue;
}

/** Looks for members that come twice, which JSON.parse swallows. The text is valid JSON. */
export function findDuplicates(text: string): Duplicates {
  const scanner = new DuplicateScanner(text);
  const merged = scanner.value('');
  return { duplicates: scanner.found, merged };
}

class DuplicateScanner {
  readonly found: string[] = [];
  private at = 0;

  constructor(private readonly text: string) {}

  value(path: string): JsonValue {
    this.space();
    const char = this.text[this.at];
    if (char === '{') return this.object(path);
    if (char === '[') return this.array(path);
    if (char === '"') return JSON.parse(this.string()) as JsonValue;
    const start = this.at;
    while (this.at < this.text.length && !',]} \t\r\n'.includes(this.text[this.at] ?? '')) this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as JsonValue;
  }

  private object(path: string): JsonObject {
    const result: JsonObject = {};
    this.at++;
    for (;;) {
      this.space();
      if (this.text[this.at] === ',') this.at++;
      this.space();
      if (this.text[this.at] !== '"') {
        this.at++;
        return result;
      }
      const key = JSON.parse(this.string()) as string;
      const place = path === '' ? key : `${path}.${key}`;
      this.space();
      this.at++;
      const value = this.value(place);
      if (Object.hasOwn(result, key)) this.found.push(`duplicate field ${JSON.stringify(place)}`);
      setOwn(result, key, merge(Object.hasOwn(result, key) ? result[key] : undefined, value));
    }
  }

  private array(path: string): JsonValue[] {
    const result: JsonValue[] = [];
    this.at++;
    for (;;) {
      this.space();
      if (this.text[this.at] === ',') this.at++;
      this.space();
      if (this.text[this.at] === ']' || this.at >= this.text.length) {
        this.at++;
        return result;
      }
      result.push(this.value(`${path}[${result.length}]`));
    }
  }

  private string(): string {
    const start = this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    return this.text.slice(start, ++this.at);
  }

  private space(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }
}

function merge(before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!isJsonObject(before) || !isJsonObject(value)) return value;
  const result: JsonObject = { ...before };
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) setOwn(result, key, merge(before[key], member));
  }
  return result;
}
