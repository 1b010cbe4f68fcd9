import { type JsonObject, stringAt } from '@/lib/json/json';

/** Kubernetes 1.24 is the first minor version that serves `/openapi/v3` without being asked to (KEP-2896). */
const FIRST_MINOR = 24;

/**
 * Whether a server has `/openapi/v3`, by its answer to `/version`. An answer that says no version counts as a new server.
 * Providers write the minor version with a sign behind it (`24+`).
 */
export function servesOpenApiV3(version: JsonObject): boolean {
  const major = Number.parseInt(stringAt(version, 'major') ?? '', 10);
  const minor = Number.parseInt(stringAt(version, 'minor') ?? '', 10);
  return !(major === 1 && minor < FIRST_MINOR);
}
