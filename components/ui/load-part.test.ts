import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { loadPart } from './load-part';
import { isPartMissing } from './part-missing';

/** A console whose parts cannot be loaded until `isReached`. */
function brokenConsole(answers: boolean) {
  const clock = new VirtualClock();
  const network = new EventTarget();
  const state = { isReached: false, tries: 0 };
  const load = async () => {
    state.tries++;
    if (!state.isReached) throw new TypeError('no network');
    return 'the part';
  };
  const part = loadPart(load, () => ({ clock, network, answers: async () => answers }));
  return { clock, network, state, part };
}

describe('a part of the page that cannot be loaded', () => {
  it('is loaded when the console can be reached again', async () => {
    const { clock, state, part } = brokenConsole(false);
    await clock.advance(10 * 60_000);
    expect(state.tries).toBeGreaterThan(20);
    state.isReached = true;
    await clock.advance(30_000);
    expect(await part).toBe('the part');
  });

  it('is loaded at once when the network is back', async () => {
    const { clock, network, state, part } = brokenConsole(false);
    await clock.advance(10 * 60_000);
    state.isReached = true;
    network.dispatchEvent(new Event('online'));
    expect(await part).toBe('the part');
  });

  it('is missing when the console answers without having it', async () => {
    const { clock, state, part } = brokenConsole(true);
    const failure = part.catch((error: Error) => error);
    await clock.advance(5_000);
    expect(isPartMissing((await failure) as Error)).toBe(true);
    expect(state.tries).toBe(3);
  });
});
