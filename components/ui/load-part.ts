import { type Clock, systemClock } from '@/lib/clock/clock';
import { partMissing } from './part-missing';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** How often the console may answer without having the part. */
const MAX_MISSED = 3;

interface Surroundings {
  readonly clock: Clock;
  /** Whether the console answers now. */
  answers(): Promise<boolean>;
  /** Tells with the event `online` that the network is back. */
  readonly network: EventTarget;
}

let askConsole = async () => false;

/** Sets how to find out whether the console answers: this layer makes no requests. */
export function partsAsk(answers: () => Promise<boolean>): void {
  askConsole = answers;
}

const inBrowser = (): Surroundings => ({ clock: systemClock, answers: askConsole, network: window });

/**
 * Loads a part of the page that comes later, and tries again for as long as the console cannot be reached: React keeps a failed import, and
 * the whole page would be broken for good.
 *
 * @param load a dynamic import
 * @throws an error of which `isPartMissing` is true
 */
export async function loadPart<T>(load: () => Promise<T>, surroundings = inBrowser): Promise<T> {
  let missed = 0;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await load();
    } catch (cause) {
      const { clock, answers, network } = surroundings();
      if (await answers()) missed++;
      if (missed === MAX_MISSED) throw partMissing(cause);
      await laterOrOnline(clock, network, waitMs);
    }
  }
}

function laterOrOnline(clock: Clock, network: EventTarget, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timer.cancel();
      network.removeEventListener('online', end);
      resolve();
    };
    const timer = clock.after(waitMs, end);
    network.addEventListener('online', end);
  });
}
