import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A path in the folder `shared` beside the checkout, which holds the work of other people (packages and test suites of the
 * KUDO project), or undefined where it does not exist: tests that need it are skipped then, and say so in their names.
 */
export function sharedPath(relative: string): string | undefined {
  const path = fileURLToPath(new URL(`../../../shared/${relative}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}
