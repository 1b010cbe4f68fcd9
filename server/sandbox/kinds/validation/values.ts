import type { CheckedField } from '../base/checked-field';

/** Checks of single values, in the words of Kubernetes apimachinery api/validation. */

export const IP_TEXT = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Everything wrong with a key of a ConfigMap or Secret. */
export function configKeyProblems(key: string): string[] {
  const problems: string[] = [];
  if (key.length > 253) problems.push('must be no more than 253 characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(KEY_TEXT);
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`);
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

export function checkPortNumber(port: CheckedField): void {
  const number = port.number ?? 0;
  if (number < 1 || number > 65_535) port.invalid('must be between 1 and 65535, inclusive', number);
}

/** A port by number or by name. */
export function checkPort(port: CheckedField): void {
  if (typeof port.value === 'string') port.check(portNameProblems);
  else checkPortNumber(port);
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

/** Numbers that are not negative, or percentages. */
export function checkIntsOrPercents(owner: CheckedField, ...keys: readonly string[]): void {
  owner.notNegative(...keys);
  for (const field of owner.given(...keys)) field.check((text) => (/^\d+%$/.test(text) ? [] : [PERCENT]));
}

export function checkAtMostAll(field: CheckedField): void {
  if (/^\d+%$/.test(field.text) && Number.parseInt(field.text, 10) > 100)
    field.invalid('must not be greater than 100%');
}

/** A path that does not lead out of where it is (Kubernetes pkg/apis/core/validation validatePathNoBacksteps). */
export function checkBackSteps(path: CheckedField): void {
  if (path.text.split('/').includes('..')) path.invalid("must not contain '..'");
}
