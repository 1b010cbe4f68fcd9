import { StatusError } from '../../errors/status';

/** The HTTP code of a failure of the API, or undefined for any other error. */
export function statusCodeOf(error: unknown): number | undefined {
  return error instanceof StatusError ? error.code : undefined;
}

/** True when the error is a failure of the API with one of these codes. */
export function isStatusCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof StatusError && codes.includes(error.code);
}
