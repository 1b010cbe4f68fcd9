import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import { ReadAhead } from './read-ahead';

const wanted: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ns', name: 'a' } };
const live: KubeObject = { ...wanted, metadata: { ...wanted.metadata, resourceVersion: '7' } };

describe('what was read ahead', () => {
  it('is given once', async () => {
    const ahead = new ReadAhead(new VirtualClock());
    ahead.put(wanted, Promise.resolve(live));
    expect(await ahead.take(wanted)).toBe(live);
    expect(ahead.take(wanted)).toBeUndefined();
  });

  it('is not given for another object', () => {
    const ahead = new ReadAhead(new VirtualClock());
    ahead.put(wanted, Promise.resolve(live));
    expect(ahead.take({ ...wanted, kind: 'Secret' })).toBeUndefined();
    expect(ahead.take({ ...wanted, metadata: { ...wanted.metadata, name: 'b' } })).toBeUndefined();
  });

  it('is not given when it is old', async () => {
    const clock = new VirtualClock();
    const ahead = new ReadAhead(clock);
    ahead.put(wanted, Promise.resolve(live));
    await clock.advance(1_001);
    expect(ahead.take(wanted)).toBeUndefined();
  });

  it('fails where it is taken and nowhere else', async () => {
    const ahead = new ReadAhead(new VirtualClock());
    ahead.put(wanted, Promise.reject(new Error('cut')));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(ahead.take(wanted)).rejects.toThrow('cut');
  });
});
