import type { JsonObject, JsonValue } from '@/lib/json/json';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import type { Faults } from '../base/kind-rules';

/** Checks of single values, in the words of Kubernetes apimachinery api/validation. */

const NOT_NEGATIVE = 'must be greater than or equal to 0';

/** Each of these numbers of an object must not be below 0. */
export function checkNotNegative(
  owner: JsonObject | undefined,
  path: string,
  keys: readonly string[],
  faults: Faults,
): void {
  for (const key of keys) {
    const value = owner?.[key];
    if (typeof value === 'number' && value < 0) faults.push(invalid(`${path}.${key}`, value, NOT_NEGATIVE));
  }
}

/** A text that must be one of those; absent and empty are left to others when `optional`. */
export function checkOneOf(
  value: JsonValue | undefined,
  path: string,
  supported: readonly string[],
  faults: Faults,
): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || !supported.includes(value)) faults.push(notSupported(path, value, supported));
}

export function checkPortNumber(value: JsonValue | undefined, path: string, faults: Faults): void {
  if (typeof value !== 'number' || value < 1 || value > 65_535) {
    faults.push(invalid(path, value ?? 0, 'must be between 1 and 65535, inclusive'));
  }
}

/** A port by number or by name. */
export function checkPort(value: JsonValue | undefined, path: string, faults: Faults): void {
  if (typeof value === 'string')
    for (const problem of portNameProblems(value)) faults.push(invalid(path, value, problem));
  else checkPortNumber(value, path, faults);
}

/** Everything wrong with the name of a port (IANA_SVC_NAME). */
export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a percentage. */
export function checkIntOrPercent(value: JsonValue | undefined, path: string, faults: Faults): void {
  if (typeof value === 'number') {
    if (value < 0) faults.push(invalid(path, value, NOT_NEGATIVE));
  } else if (typeof value === 'string' && !/^\d+%$/.test(value)) faults.push(invalid(path, value, PERCENT));
}

export function checkAtMostAll(value: JsonValue | undefined, path: string, faults: Faults): void {
  if (typeof value === 'string' && /^\d+%$/.test(value) && Number.parseInt(value, 10) > 100) {
    faults.push(invalid(path, value, 'must not be greater than 100%'));
  }
}

/** A text that must be there and pass a check. */
export function checkName(
  value: JsonValue | undefined,
  path: string,
  problemsOf: (name: string) => string[],
  faults: Faults,
): void {
  if (typeof value !== 'string' || value === '') faults.push(required(path));
  else for (const problem of problemsOf(value)) faults.push(invalid(path, value, problem));
}

/** A text that may be absent. */
export function checkOptionalName(
  value: JsonValue | undefined,
  path: string,
  problemsOf: (name: string) => string[],
  faults: Faults,
): void {
  if (typeof value === 'string' && value !== '') checkName(value, path, problemsOf, faults);
}
