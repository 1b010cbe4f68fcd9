import { ConflictError, TransientError } from '@/lib/errors/errors';

/** What has to be done before the next watch. */
export type Need = 'list' | 'check' | 'nothing';

/**
 * Who was cut off asks whether the server is still where it was. One that was away for longer may have been put back and have
 * gone on from there: nothing but a list tells.
 */
export function needAfter(error: unknown, failures: number, need: Need): Need {
  if (error instanceof ConflictError || need === 'list') return 'list';
  const wasCutOff = error instanceof TransientError && error.reason === 'ConnectionFailed';
  if (!wasCutOff) return need;
  return failures > 1 ? 'list' : 'check';
}
