import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { DrainedPod } from '@/lib/kube/workloads/drain';
import { type DrainProgress, runDrain } from './run-drain';

const pod = (name: string, rest: Partial<DrainedPod> = {}): DrainedPod => ({
  key: `demo/${name}`,
  namespace: 'demo',
  name,
  uid: name,
  fate: 'evict',
  controller: 'ReplicaSet own',
  losses: [],
  volumes: [],
  heldBy: undefined,
  ...rest,
});

/** A Node from which evicted pods go at once, unless they are refused. */
function node(first: readonly DrainedPod[], refusals: { [name: string]: number } = {}) {
  let pods = first;
  const evicted: string[] = [];
  const reports: DrainProgress[] = [];
  const abort = new AbortController();
  const clock = new VirtualClock();
  const run = (mayEvict: (pod: DrainedPod) => boolean = () => true) =>
    runDrain({
      cordon: async () => undefined,
      read: async () => pods,
      evict: async ({ name }) => {
        if ((refusals[name] ?? 0) > 0) {
          refusals[name] = (refusals[name] ?? 0) - 1;
          throw Object.assign(new Error('budget'), { status: 429 });
        }
        evicted.push(name);
        pods = pods.filter((each) => each.name !== name);
      },
      mayEvict,
      report: (progress) => reports.push(progress),
      clock,
      signal: abort.signal,
    });
  return { run, evicted, reports, abort, clock, set: (next: readonly DrainedPod[]) => (pods = next) };
}

it('evicts what moves, tries again what was refused, and ends when only pods are left that stay', async () => {
  const { run, evicted, reports, clock } = node(
    [pod('a'), pod('b'), pod('ds', { fate: 'daemon' }), pod('bare', { losses: ['bare'] })],
    { b: 1 },
  );
  const done = run(({ losses }) => losses.length === 0);
  await clock.advance(10_000);
  await done;
  expect(evicted).toEqual(['a', 'b']);
  expect(reports.some(({ refused }) => refused.get('demo/b') === 'budget')).toBe(true);
  expect(reports.at(-1)).toMatchObject({ isDone: true, gone: ['demo/a', 'demo/b'] });
  expect(reports.at(-1)?.pods.map(({ name }) => name)).toEqual(['ds', 'bare']);
});

it('does not evict what a budget holds until it allows it, and stops when it is told to', async () => {
  const held = node([pod('a', { heldBy: 'pdb' })]);
  const stopped = held.run();
  stopped.catch(() => undefined);
  await held.clock.advance(5_000);
  expect(held.evicted).toEqual([]);
  held.set([pod('a')]);
  await held.clock.advance(2_000);
  expect(held.evicted).toEqual(['a']);
  held.set([pod('c', { heldBy: 'pdb' })]);
  held.abort.abort();
  await held.clock.advance(5_000);
  await expect(stopped).rejects.toThrow();
});
