import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { Contact } from './contact';

describe('contact with a server', () => {
  let clock: VirtualClock;
  let contact: Contact;
  let asked: number;
  let isUp: boolean;
  const forever = new AbortController().signal;
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const advance = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      await clock.advance(100);
      await settle();
    }
  };
  /** How long a pause of that length took; undefined while it lasts. */
  const pausing = (delayMs: number, signal = forever) => {
    const startedMs = clock.monotonic();
    const result: { tookMs?: number } = {};
    void contact.pause(delayMs, signal).then(() => {
      result.tookMs = clock.monotonic() - startedMs;
    });
    return result;
  };

  beforeEach(() => {
    clock = new VirtualClock();
    asked = 0;
    isUp = true;
    contact = new Contact(clock, seededRandom('contact'), async () => {
      asked += 1;
      if (isUp) contact.recordResponse();
      else {
        contact.recordFailure();
        throw new Error('no answer');
      }
    });
  });

  it('ends a pause early when a server that was unreachable for long answers again', async () => {
    isUp = false;
    await advance(12_000);
    contact.recordFailure();
    const pause = pausing(30_000);
    await advance(10_000);
    expect(pause.tookMs).toBeUndefined();
    isUp = true;
    await advance(2_600);
    expect(pause.tookMs).toBeLessThanOrEqual(12_600);
  });

  it('probes an unreachable server every 2 s, however many callers wait, and not at all when none waits', async () => {
    isUp = false;
    await advance(12_000);
    contact.recordFailure();
    await advance(20_000);
    expect(asked).toBe(0);
    const stop = new AbortController();
    for (let count = 0; count < 5; count++) pausing(30_000, stop.signal);
    await advance(20_000);
    expect(asked).toBeGreaterThanOrEqual(9);
    expect(asked).toBeLessThanOrEqual(10);
    stop.abort();
    await settle();
    await advance(20_000);
    expect(asked).toBeLessThanOrEqual(10);
  });

  it('does not shorten a pause when the server fails at one request and answers the others', async () => {
    await advance(12_000);
    contact.recordFailure();
    const pause = pausing(30_000);
    await advance(29_900);
    expect(pause.tookMs).toBeUndefined();
    expect(asked).toBe(1);
    await advance(200);
    expect(pause.tookMs).toBe(30_000);
  });

  it('does not count a failure soon after a response as an outage', async () => {
    isUp = false;
    contact.recordResponse();
    await advance(9_000);
    contact.recordFailure();
    const pause = pausing(5_000);
    await advance(5_000);
    expect(asked).toBe(0);
    expect(pause.tookMs).toBe(5_000);
  });

  it('ends a pause immediately when its signal is aborted', async () => {
    const stop = new AbortController();
    const pause = pausing(30_000, stop.signal);
    await advance(1_000);
    stop.abort();
    await settle();
    expect(pause.tookMs).toBe(1_000);
  });
});
