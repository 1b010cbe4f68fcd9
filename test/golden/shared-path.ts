import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A path in the folder of reference material beside the checkout (golden files, operator packages), or undefined where
 * that folder is not there: tests that use it are skipped then.
 */
export function sharedPath(relative: string): string | undefined {
  const path = fileURLToPath(new URL(`../../../shared/${relative}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}
