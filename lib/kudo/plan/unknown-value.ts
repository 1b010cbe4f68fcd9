/**
 * A value of a parameter of which only a fingerprint is known, where values are compared. It begins with a character that
 * YAML does not take and our webhook refuses, so it differs from every value that people write. It never leaves the process.
 */
const MARK = '\u0000';

export function unknownValue(fingerprint: string): string {
  return `${MARK}${fingerprint}`;
}

/** In place of a value that an optional source does not have: the parameter has its default. */
export const NO_VALUE = unknownValue('');

/** True for what {@link unknownValue} gave. */
export function isUnknownValue(value: string): boolean {
  return value.startsWith(MARK);
}

/** The fingerprint of an unknown value. */
export function recordedFingerprint(value: string): string {
  return value.slice(MARK.length);
}
