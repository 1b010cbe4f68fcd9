import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { SECRET_MARK } from '@/lib/live/secret-mark';

/** A shorter value is masked only where it is a whole text: it occurs inside of too many other words. */
const MIN_SUBSTRING_CHARS = 6;
/** A line of a longer value, such as a key in PEM, is masked by itself too. */
const MIN_LINE_CHARS = 16;
/**
 * Masks secret values in everything that goes into an archive: in objects, texts and logs, also where a value is in base64,
 * escaped as in JSON or encoded as in a URL.
 */
export class Redactor {
  private readonly whole: ReadonlySet<string>;
  /** Longest first, so that a value that contains another one is masked as a whole. */
  private readonly parts: readonly string[];

  /**
   * @param values the secret values, as text
   * @param publicNames names that the archive contains anyway, such as the namespace; they are not masked
   */
  constructor(values: Iterable<string>, publicNames: ReadonlySet<string> = new Set()) {
    const secrets = [...new Set([...values].flatMap((value) => [value, value.trim()]))].filter(
      (value) => value !== '' && !publicNames.has(value),
    );
    this.whole = new Set(secrets);
    const parts = secrets.flatMap(linesOf).filter((value) => value.length >= MIN_SUBSTRING_CHARS);
    this.parts = [...new Set(parts.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  }

  /** The text with each secret value replaced. */
  text(text: string): string {
    if (this.whole.has(text)) return SECRET_MARK;
    return this.parts.reduce((masked, part) => masked.replaceAll(part, SECRET_MARK), text);
  }

  /** The log with each secret value replaced; other bytes stay, whatever their encoding. */
  log(log: Uint8Array): Uint8Array {
    let masked = Buffer.from(log).toString('latin1');
    for (const part of this.parts) masked = masked.replaceAll(bytesOf(part), bytesOf(SECRET_MARK));
    return Buffer.from(masked, 'latin1');
  }

  /**
   * A JSON value with each secret value replaced, in keys too. In objects, annotations that copy the whole object are left
   * out, and so are the values of environment variables with the name of a secret.
   */
  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([key, member]): [string, JsonValue] => {
      if (key === 'annotations' && isJsonObject(member)) return [key, this.value(withoutCopies(member))];
      return [this.text(key), isSecretVariable(value, key) ? SECRET_MARK : this.value(member)];
    });
    return Object.fromEntries(members);
  }
}

/** Without the annotations of kubectl and KUDO that repeat the object, and Bravo's that repeats the parameters. */
function withoutCopies(annotations: JsonObject): JsonObject {
  const isCopy = (name: string): boolean => name.includes('last-applied') || name === ACTED_UPON_ANNOTATION;
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !isCopy(name)));
}

/** True for `value` of `{name: DB_PASSWORD, value: …}`. */
function isSecretVariable(holder: JsonObject, key: string): boolean {
  if (key !== 'value' || typeof holder.value !== 'string' || holder.value === '') return false;
  return isSecretParameter(stringAt(holder, 'name') ?? '');
}

function linesOf(value: string): string[] {
  const lines = value.split(/\r?\n/);
  return lines.length === 1 ? [value] : [value, ...lines.filter((line) => line.length >= MIN_LINE_CHARS)];
}

function formsOf(value: string): string[] {
  const base64 = Buffer.from(value, 'utf8').toString('base64');
  return [value, base64, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
