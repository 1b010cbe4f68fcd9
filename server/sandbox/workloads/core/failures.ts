import { isJsonObject } from '@/lib/json/json';

/** The HTTP code of a StatusError (server/sandbox/http/status), or undefined for any other error. */
export function statusCodeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'number') return error.code;
  if ('status' in error && isJsonObject(error.status) && typeof error.status.code === 'number')
    return error.status.code;
  return undefined;
}

/** True when the error is a failure of the API with one of these codes. */
export function isStatusCode(error: unknown, ...codes: readonly number[]): boolean {
  const code = statusCodeOf(error);
  return code !== undefined && codes.includes(code);
}
