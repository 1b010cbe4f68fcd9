import { TransientError } from '@/lib/errors/errors';
import { codeOf } from '@/server/kube/errors';

/** How often one run is repeated. */
const MOST_DISTURBED = 5;

/**
 * Repeats a run until the machine lets it finish. Only the requests of users throw `TransientError`s: when the server of the run,
 * which is in this process, did not answer in time, the run was interrupted and says nothing about the controller.
 *
 * @param again called before each repetition
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
