import { TransientError } from '@/lib/errors/errors';
import { codeOf } from '@/server/kube/errors';

/** Times that one life is played again. */
const MOST_DISTURBED = 5;

/**
 * Plays until the machine lets it be played to its end. Only what people do in a life throws `TransientError`s: when the server of the
 * run itself, which is in this process, gave no answer in time, the life was cut off and says nothing about the controller.
 *
 * @param again told that it is played again
 */
export async function undisturbed<Played>(play: () => Promise<Played>, again: () => void): Promise<Played> {
  for (let disturbed = 1; ; disturbed++) {
    try {
      return await play();
    } catch (error) {
      if (!isDisturbance(error) || disturbed === MOST_DISTURBED) throw error;
      again();
    }
  }
}

function isDisturbance(error: unknown): boolean {
  return error instanceof TransientError && (error.reason === 'Timeout' || codeOf(error) === 408);
}
