import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { ConsoleEnd } from './console-end';

function console(noticeMs: number) {
  const clock = new VirtualClock();
  const said: string[] = [];
  const end = new ConsoleEnd({
    clock,
    noticeMs,
    server: {
      endConnections: () => void said.push('connections end with their request'),
      close: async (patienceMs) => void said.push(`closed, patience ${patienceMs ?? 'default'}`),
    },
    hub: { endStreams: () => void said.push('streams end') },
  });
  return { clock, said, end };
}

describe('the end of a console', () => {
  it('answers while it is not ready, and ends its streams only when nobody can connect any more', async () => {
    const { clock, said, end } = console(5_000);
    expect(end.isStopping).toBe(false);
    const ended = end.run(true);
    expect(end.isStopping).toBe(true);
    await clock.advance(4_999);
    expect(said).toEqual(['connections end with their request']);
    await clock.advance(1);
    await ended;
    expect(said).toEqual(['connections end with their request', 'closed, patience 5000', 'streams end']);
  });

  it('waits for nobody after Ctrl-C', async () => {
    const { said, end } = console(5_000);
    await end.run(false);
    expect(said).toEqual(['connections end with their request', 'closed, patience default', 'streams end']);
  });
});
