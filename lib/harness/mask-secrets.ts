import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { SECRET_MARK } from '@/lib/live/secret-mark';

/**
 * An object as logs and reports show it: the values of a Secret, of parameters with the name of a secret, and of environment
 * variables with such a name are marked.
 */
export function maskForLog(object: JsonObject): JsonObject {
  return object.kind === 'Secret' ? maskedSecret(object) : (masked(object) as JsonObject);
}

function maskedSecret(object: JsonObject): JsonObject {
  const values = (member: JsonValue): JsonValue =>
    isJsonObject(member) ? Object.fromEntries(Object.keys(member).map((key) => [key, SECRET_MARK])) : member;
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [
      key,
      key === 'data' || key === 'stringData' ? values(member) : masked(member),
    ]),
  );
}

function masked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  const isVariable = typeof value.name === 'string' && isSecretParameter(value.name);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isSecret = typeof member === 'string' && (isSecretParameter(key) || (isVariable && key === 'value'));
      // Names of Secrets and of their keys are no secrets.
      return [key, isSecret && !/(^k|K)ey$|(Name|Ref|Path)$/.test(key) ? SECRET_MARK : masked(member)];
    }),
  );
}

/** A command line with the values of what has the name of a secret marked: `-p PASSWORD=…`, `--token …`. */
export function maskCommandLine(line: string): string {
  const assigned = line.replace(/([A-Za-z0-9_.-]+)=("[^"]*"|'[^']*'|[^\s"']+)/g, (whole, name: string) =>
    isSecretParameter(name) ? `${name}=${SECRET_MARK}` : whole,
  );
  return assigned.replace(/(--?[A-Za-z][A-Za-z-]*)\s+("[^"]*"|'[^']*'|[^\s"'-][^\s"']*)/g, (whole, flag: string) =>
    /(password|token)$/i.test(flag) ? `${flag} ${SECRET_MARK}` : whole,
  );
}
