import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { Scheduler } from './scheduler';
import { broken } from './watch-faults';

async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < count; made++) yield Buffer.from(`{"line":${made}}\n`);
}

it('ends a delayed watch when its client gives up, even though the server sent everything before', async () => {
  const clock = new VirtualClock();
  const client = new AbortController();
  const request = { method: 'GET', path: '/api/v1/pods?watch=1', signal: client.signal };
  clock.after(70_000, () => client.abort(new Error('long enough')));
  const read = async () => {
    for await (const _ of broken(chunks(1_000), { kind: 'late', chunks: 0, lateMs: () => 4_000, clock, request }));
  };
  await expect(new Scheduler(clock).drive(read())).rejects.toThrow('long enough');
  expect(clock.monotonic()).toBe(70_000);
});
