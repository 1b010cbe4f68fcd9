import { ConflictError, TransientError } from '@/lib/errors/errors';

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
