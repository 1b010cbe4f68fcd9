import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { KeptWhileNeeded, UNUSED_MS } from './kept-while-needed';

function started() {
  const clock = new VirtualClock();
  const ended: string[] = [];
  const kept = new KeptWhileNeeded(clock, (thing) => ended.push(thing));
  return { kept, ended, pass: (ms: number) => clock.advance(ms) };
}

describe('what several need together', () => {
  it('ends some minutes after the last one needs it no more, and once', async () => {
    const { kept, ended, pass } = started();
    kept.needs('a', ['pods', 'jobs']);
    kept.needs('b', ['pods']);
    kept.needs('a', []);
    await pass(UNUSED_MS);
    expect(ended).toEqual(['jobs']);
    kept.needs('b', []);
    await pass(UNUSED_MS - 1);
    expect(ended).toEqual(['jobs']);
    await pass(UNUSED_MS);
    expect(ended).toEqual(['jobs', 'pods']);
  });

  it('stays for who comes back in time', async () => {
    const { kept, ended, pass } = started();
    kept.needs('a', ['pods']);
    kept.needs('a', []);
    await pass(UNUSED_MS - 1);
    kept.needs('b', ['pods']);
    await pass(UNUSED_MS * 2);
    expect(ended).toEqual([]);
  });

  it('counts one that asks twice as one, and keeps what it needs before and after', async () => {
    const { kept, ended, pass } = started();
    kept.needs('a', ['pods', 'pods', 'jobs']);
    kept.needs('a', ['pods']);
    await pass(UNUSED_MS);
    expect(ended).toEqual(['jobs']);
    kept.clear();
    await pass(UNUSED_MS);
    expect(ended).toEqual(['jobs', 'pods']);
  });

  it('ends nothing after it was stopped', async () => {
    const { kept, ended, pass } = started();
    kept.needs('a', ['pods']);
    kept.needs('a', []);
    kept.stop();
    await pass(UNUSED_MS);
    expect(ended).toEqual([]);
  });
});
