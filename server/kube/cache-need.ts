import { ConflictError, TransientError } from '@/lib/errors/errors';
import type { BackoffBounds } from './backoff';
import { codeOf } from './errors';

/** What a cache has to do before its next watch. */
export type Need = 'list' | 'check' | 'nothing';

/**
 * After a broken connection the cache checks whether the server still has the last resourceVersion. A server that was unreachable for
 * longer may have been restored from a backup and have moved on since; only a new list shows that.
 */
export function needAfter(error: unknown, failures: number, need: Need): Need {
  if (error instanceof ConflictError || need === 'list') return 'list';
  const wasCutOff = error instanceof TransientError && error.reason === 'ConnectionFailed';
  if (!wasCutOff) return need;
  return failures > 1 ? 'list' : 'check';
}

const RETRY: BackoffBounds = { floorMs: 200, ceilingMs: 30_000 };
/** A kind that is not served (yet): a controller acts soon after somebody installs the CRD. */
const RETRY_MISSING: BackoffBounds = { floorMs: 200, ceilingMs: 4_000 };

/** How soon a list or watch is tried again after an error; `refused` is for a list that may not be read or is not served. */
export function retryBounds(error: unknown, refused: BackoffBounds | undefined): BackoffBounds {
  const code = codeOf(error);
  if (refused !== undefined && [403, 404, 405].includes(code)) return refused;
  return code === 404 ? RETRY_MISSING : RETRY;
}
