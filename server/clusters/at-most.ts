import { type Clock, sleep } from '@/lib/clock/clock';

/** What `work` gives, or undefined when it takes longer; it goes on then. */
export async function atMost<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const abort = new AbortController();
  try {
    return await Promise.race([work, sleep(clock, ms, abort.signal).then(() => undefined)]);
  } finally {
    abort.abort();
  }
}
