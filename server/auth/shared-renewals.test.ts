import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { ConflictError, TransientError } from '@/lib/errors/errors';
import { seededRandom } from '@/lib/random/random';
import type { Log } from '@/server/log/log';
import { Keyring, keysOfDocument } from './keyring';
import { HOLDER_MS, readEntry, renewalKey, withHolder, withResult } from './renewal-entries';
import type { Renewal } from './renewals';
import type { SharedDocument } from './shared-document';
import { memoryDocument } from './shared-document-fixture';
import { SharedRenewals } from './shared-renewals';

const renewed = (name: string): Renewal => ({
  tokens: { idToken: `id-of-${name}`, idTokenEndsMs: 1, refreshToken: `next-of-${name}` },
  person: { name, groups: ['devs'] },
});

/** Replicas with one key and one clock, and what they log. */
function replicas(document: SharedDocument) {
  const clock = new VirtualClock();
  const keys = memoryDocument();
  const events: string[] = [];
  const note = (event: string) => void events.push(event);
  const log: Log = { info: note, warn: note, error: note };
  const add = (seed: string) => {
    const random = seededRandom(seed);
    const keyring = new Keyring(clock, keysOfDocument(keys, clock, random));
    return new SharedRenewals({ document, keyring, clock, random, log });
  };
  return { clock, events, one: add('one'), two: add('two'), three: add('three') };
}

/** A refresh that the test ends, and how often it was begun. */
function slowRefresh() {
  let begun = 0;
  let end: (result: Renewal) => void = () => undefined;
  const result = new Promise<Renewal>((resolve) => {
    end = resolve;
  });
  const refresh = () => {
    begun++;
    return result;
  };
  return { refresh, end, begun: () => begun };
}

const never = async (): Promise<Renewal> => {
  throw new Error('The refresh token is used a second time.');
};

describe('replicas that renew the same session', () => {
  it('use the refresh token once: the second waits for the result of the first', async () => {
    const document = memoryDocument();
    const { clock, one, two } = replicas(document);
    const { refresh, end, begun } = slowRefresh();
    const first = one.renew('token', refresh);
    await clock.advance(0);
    const second = two.renew('token', never);
    await clock.advance(1_000);
    end(renewed('jo'));
    expect(await first).toEqual(renewed('jo'));
    await clock.advance(200);
    expect(await second).toEqual(renewed('jo'));
    expect(begun()).toBe(1);
  });

  it('keep the result for a minute, sealed', async () => {
    const document = memoryDocument();
    const { clock, one, two } = replicas(document);
    await one.renew('token', async () => renewed('jo'));
    const text = [...(await document.read())].flat().join();
    for (const secret of ['token', 'id-of-jo', 'next-of-jo', 'jo'])
      expect(text).not.toMatch(new RegExp(`\\b${secret}\\b`));
    await clock.advance(59_000);
    expect(await two.renew('token', never)).toEqual(renewed('jo'));
    await clock.advance(1_000);
    expect(await two.renew('token', async () => 'ended')).toBe('ended');
  });

  it('share that the provider has ended the session, and for 5 s that it does not answer', async () => {
    const { clock, one, two } = replicas(memoryDocument());
    await one.renew('a', async () => 'ended');
    expect(await two.renew('a', never)).toBe('ended');
    await one.renew('b', async () => 'later');
    expect(await two.renew('b', never)).toBe('later');
    await clock.advance(5_000);
    expect(await two.renew('b', async () => renewed('jo'))).toEqual(renewed('jo'));
  });

  it('do not use the refresh token at once again when a renewal failed in an unknown way', async () => {
    const { one, two } = replicas(memoryDocument());
    await expect(one.renew('token', never)).rejects.toThrow('a second time');
    expect(await two.renew('token', never)).toBe('later');
  });

  it('replace a holder that died; what it says later does not count', async () => {
    const document = memoryDocument();
    const { clock, one, two } = replicas(document);
    const dead = slowRefresh();
    const first = one.renew('token', dead.refresh);
    await clock.advance(0);
    const second = two.renew('token', async () => renewed('jo'));
    await clock.advance(HOLDER_MS);
    expect(await second).toEqual(renewed('jo'));
    dead.end('ended');
    expect(await first).toBe('ended');
    expect(await two.renew('token', never)).toEqual(renewed('jo'));
  });

  it('replace a holder that died once: the others wait for the one that did', async () => {
    const document = memoryDocument();
    const { clock, one, two, three } = replicas(document);
    void one.renew('token', slowRefresh().refresh);
    await clock.advance(0);
    const slow = slowRefresh();
    const second = two.renew('token', slow.refresh);
    const third = three.renew('token', never);
    await clock.advance(HOLDER_MS + 10_000);
    expect(slow.begun()).toBe(1);
    slow.end(renewed('jo'));
    expect(await second).toEqual(renewed('jo'));
    await clock.advance(200);
    expect(await third).toEqual(renewed('jo'));
  });

  it('replace a holder whose clock is ahead, too', async () => {
    const document = memoryDocument();
    const { clock, two } = replicas(document);
    const claim = { holder: 'died', sinceMs: clock.now() + 3_600_000 };
    await document.update((content) => withHolder(content, renewalKey('token'), undefined, claim));
    const second = two.renew('token', async () => renewed('jo'));
    await clock.advance(HOLDER_MS);
    expect(await second).toEqual(renewed('jo'));
  });

  it('do not believe a result that was sealed for another session, or by nobody', async () => {
    const document = memoryDocument();
    const { one, two } = replicas(document);
    await one.renew('of-admin', async () => renewed('admin'));
    const stolen = (await document.read()).get(renewalKey('of-admin')) ?? '';
    const forged = stolen.replace(/"sealed":"[^"]*"/, '"sealed":"e30.e30.e30.e30.e30"');
    for (const [token, text] of [
      ['of-jo', stolen],
      ['of-lee', forged],
    ] as const) {
      await document.update((content) => new Map([...content, [renewalKey(token), text]]));
      expect(await two.renew(token, async () => renewed('me'))).toEqual(renewed('me'));
    }
  });
});

describe('a replica that cannot share', () => {
  it('renews for itself when the document cannot be written, and logs that once, until it can', async () => {
    const document = memoryDocument();
    let isForbidden = true;
    const update: SharedDocument['update'] = async (change) => {
      if (isForbidden) throw new TransientError('secrets "bravo-renewals" is forbidden', 'Forbidden');
      return document.update(change);
    };
    const { one, events } = replicas({ ...document, update });
    expect(await one.renew('a', async () => renewed('jo'))).toEqual(renewed('jo'));
    expect(await one.renew('b', async () => renewed('lee'))).toEqual(renewed('lee'));
    expect(events).toEqual(['renewals.alone']);
    isForbidden = false;
    await one.renew('c', async () => renewed('kim'));
    expect(events).toEqual(['renewals.alone', 'renewals.shared']);
  });

  it('goes on waiting for a holder that it has seen, while the document cannot be read', async () => {
    const document = memoryDocument();
    let isDown = false;
    const read: SharedDocument['read'] = async () => {
      if (isDown) throw new TransientError('The API server does not answer.', 'Timeout');
      return document.read();
    };
    const { clock, one, two } = replicas({ ...document, read });
    const { refresh, end } = slowRefresh();
    const first = one.renew('token', refresh);
    await clock.advance(0);
    const second = two.renew('token', never);
    await clock.advance(1_000);
    isDown = true;
    await clock.advance(1_000);
    isDown = false;
    end(renewed('jo'));
    await first;
    await clock.advance(200);
    expect(await second).toEqual(renewed('jo'));
  });

  it('tries again when many renewals conflict in the document', async () => {
    const document = memoryDocument();
    let conflicts = 3;
    const update: SharedDocument['update'] = async (change) => {
      if (conflicts-- > 0) throw new ConflictError('The Secret was changed.', 'Conflict');
      return document.update(change);
    };
    const { clock, one, two, events } = replicas({ ...document, update });
    const first = one.renew('token', async () => renewed('jo'));
    await clock.advance(600);
    await first;
    expect(await two.renew('token', never)).toEqual(renewed('jo'));
    expect(events).toEqual([]);
  });
});

describe('the entries', () => {
  const result = (length: number, untilMs: number) => JSON.stringify({ until: untilMs, sealed: 'x'.repeat(length) });

  it('take a claim only while the entry is the one that was seen', () => {
    const claim = { holder: 'two', sinceMs: 5 };
    const content = new Map([['k', JSON.stringify({ holder: 'one', since: 1 })]]);
    expect(withHolder(content, 'k', undefined, claim)).toBe(content);
    expect(readEntry(withHolder(content, 'k', content.get('k'), claim).get('k'))).toMatchObject({ holder: 'two' });
  });

  it('lose what is over, what is unreadable, and the oldest results when there is no room', () => {
    const nowMs = 1_000_000;
    const large = Array.from({ length: 60 }, (_, index) => [`r${index}`, result(10_000, nowMs + 1 + index)] as const);
    const content = new Map([
      ...large,
      ['over', result(10, nowMs)],
      ['odd', 'not JSON'],
      ['k', JSON.stringify({ holder: 'one', since: nowMs })],
    ]);
    const kept = withResult(content, 'k', { holder: 'one', sealed: 'y'.repeat(9_000), untilMs: nowMs + 60_000, nowMs });
    expect([...kept.values()].join('').length).toBeLessThan(512 * 1024);
    expect(kept.has('k') && kept.has('r59') && kept.size > 45).toBe(true);
    for (const gone of ['over', 'odd', 'r0']) expect(kept.has(gone)).toBe(false);
  });

  it('have no result that no cookie can hold', () => {
    const content = new Map([['k', JSON.stringify({ holder: 'one', since: 0 })]]);
    const huge = { holder: 'one', sealed: 'y'.repeat(20_000), untilMs: 9, nowMs: 1 };
    expect(withResult(content, 'k', huge).has('k')).toBe(false);
  });
});
