import { TerminalError } from '@/lib/errors/errors';

/** Each shard is a Lease object that is renewed all the time. */
export const MOST_SHARDS = 256;

/**
 * `BRAVO_SHARDS`: into how many parts the Instances are divided; 1, the default, is one acting controller for all of them.
 *
 * @throws TerminalError with one sentence
 */
export function readShards(environment: { readonly [name: string]: string | undefined }): number {
  const text = environment.BRAVO_SHARDS ?? '';
  if (text === '') return 1;
  const count = Number(text);
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= MOST_SHARDS) return count;
  throw new TerminalError(
    `BRAVO_SHARDS: "${text}" is not a number of shards; give a whole number from 1 to ${MOST_SHARDS}, the same for all controllers.`,
    'InvalidSettings',
  );
}
