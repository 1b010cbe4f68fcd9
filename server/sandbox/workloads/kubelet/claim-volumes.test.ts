import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { ClaimVolumes } from './claim-volumes';

class MemoryStore {
  readonly archives = new Map<string, Uint8Array>();
  load = (uid: string) => this.archives.get(uid);
  save = (uid: string, archive: Uint8Array) => void this.archives.set(uid, archive);
  drop = (uid: string) => void this.archives.delete(uid);
}

function fail(error: unknown): never {
  throw error;
}

describe('the volume of a claim', () => {
  it('is saved shortly after a change and restored after a restart', async () => {
    const clock = new VirtualClock();
    const store = new MemoryStore();
    const tree = new ClaimVolumes(clock, store, fail).ofClaim('a');
    tree.makeDirectories(['sub'], 5000);
    tree.write(['sub', 'f'], new Uint8Array([1, 2, 3]), 5000);
    expect(store.archives.size).toBe(0);
    await clock.advance(1000);
    const again = new ClaimVolumes(clock, store, fail).ofClaim('a');
    expect(again.get(['sub', 'f'])).toEqual({
      kind: 'file',
      content: new Uint8Array([1, 2, 3]),
      mode: 0o644,
      modifiedMs: 5000,
    });
    expect(clock.nextDueMs()).toBeUndefined();
  });

  it('is forgotten with its claim', () => {
    const store = new MemoryStore();
    const volumes = new ClaimVolumes(new VirtualClock(), store, fail);
    volumes.ofClaim('a').write(['f'], new Uint8Array(1), 0);
    volumes.flush();
    expect(store.archives.size).toBe(1);
    volumes.drop('a');
    expect(store.archives.size).toBe(0);
    expect(volumes.ofClaim('a').get(['f'])).toBeUndefined();
  });
});
