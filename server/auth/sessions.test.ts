import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { CookieNames } from './cookies';
import { Keyring, keysOfDocument } from './keyring';
import { Sessions } from './sessions';
import { memoryDocument } from './shared-document-fixture';
import { SignOuts } from './sign-outs';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const settings = { idleMs: 8 * HOUR_MS, lifetimeMs: DAY_MS, keysFile: undefined };

function world() {
  const clock = new VirtualClock();
  const random = seededRandom('sessions');
  const [keys, signOuts] = [memoryDocument(), memoryDocument()];
  const replica = (names = new CookieNames(true)) =>
    new Sessions({
      settings,
      names,
      keyring: new Keyring(clock, keysOfDocument(keys, clock, random)),
      signOuts: new SignOuts(signOuts, clock, settings.lifetimeMs),
      clock,
      random,
    });
  return { clock, replica };
}

/** The Cookie header that a browser sends after these Set-Cookie headers. */
function cookieHeader(setCookie: readonly string[]): string {
  const pairs = setCookie.filter((line) => !line.includes('Max-Age=0')).map((line) => line.split(';', 1)[0]);
  return pairs.join('; ');
}

const jo = { person: { name: 'jo', groups: ['team-a'] }, token: 'the-token' };

describe('a session', () => {
  it('is read by another replica with the same keys, and says nothing of itself to the browser', async () => {
    const { replica } = world();
    const { setCookie } = await replica().begin(jo, undefined);
    expect(setCookie[0]).toMatch(/^__Host-bravo=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400; Secure$/);
    expect(setCookie.join()).not.toContain('the-token');
    expect(await replica().read(cookieHeader(setCookie))).toMatchObject({ person: jo.person, token: 'the-token' });
  });

  it('has a plain cookie where the console is served by HTTP on a loopback address', async () => {
    const { replica } = world();
    const { setCookie } = await replica(new CookieNames(false)).begin(jo, undefined);
    expect(setCookie[0]).toMatch(/^bravo=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/);
  });

  it('has ended after the idle time without a request', async () => {
    const { clock, replica } = world();
    const sessions = replica();
    const cookies = cookieHeader((await sessions.begin(jo, undefined)).setCookie);
    await clock.advance(settings.idleMs - 1);
    expect(await sessions.read(cookies)).toBeDefined();
    await clock.advance(1);
    expect(await sessions.read(cookies)).toBeUndefined();
  });

  it('has ended after its lifetime, however often it was used', async () => {
    const { clock, replica } = world();
    const sessions = replica();
    let { claims } = await sessions.begin(jo, undefined);
    for (let hour = 0; hour < 23; hour++) {
      await clock.advance(HOUR_MS);
      claims = { ...claims, seenMs: clock.now() };
    }
    const cookies = cookieHeader(await sessions.write(claims));
    expect(await sessions.read(cookies)).toBeDefined();
    await clock.advance(HOUR_MS);
    expect(await sessions.read(cookies)).toBeUndefined();
  });

  it('ends no later than its token', async () => {
    const { clock, replica } = world();
    const sessions = replica();
    const begun = await sessions.begin({ ...jo, endsMs: clock.now() + 60_000 }, undefined);
    await clock.advance(60_000);
    expect(await sessions.read(cookieHeader(begun.setCookie))).toBeUndefined();
  });

  it('is another one after the next sign-in, and the former one has ended', async () => {
    const { replica } = world();
    const sessions = replica();
    const first = await sessions.begin(jo, undefined);
    const planted = cookieHeader(first.setCookie);
    const second = await sessions.begin({ ...jo, person: { name: 'lee', groups: [] } }, planted);
    expect(second.claims.id).not.toBe(first.claims.id);
    expect(await sessions.read(planted)).toBeUndefined();
    expect(await sessions.read(cookieHeader(second.setCookie))).toMatchObject({ person: { name: 'lee' } });
  });

  it('that was signed out stays ended, for a copy of the cookie and on another replica too', async () => {
    const { clock, replica } = world();
    const [one, two] = [replica(), replica()];
    const { setCookie } = await one.begin(jo, undefined);
    const copy = cookieHeader(setCookie);
    const claims = await two.read(copy);
    await one.end(claims, 'here');
    expect(await one.read(copy)).toBeUndefined();
    await clock.advance(5_000);
    expect(await two.read(copy)).toBeUndefined();
  });

  it('ends with all others of the person when they sign out everywhere; those of other people go on', async () => {
    const { clock, replica } = world();
    const sessions = replica();
    const laptop = await sessions.begin(jo, undefined);
    const phone = await sessions.begin(jo, undefined);
    const lee = await sessions.begin({ person: { name: 'lee', groups: [] } }, undefined);
    await sessions.end(laptop.claims, 'everywhere');
    expect(await sessions.read(cookieHeader(phone.setCookie))).toBeUndefined();
    expect(await sessions.read(cookieHeader(lee.setCookie))).toBeDefined();
    await clock.advance(1);
    const again = await sessions.begin(jo, undefined);
    expect(await sessions.read(cookieHeader(again.setCookie))).toBeDefined();
  });

  it('goes on when there is a newer key, and is signed out when its key has gone', async () => {
    const { clock, replica } = world();
    const sessions = replica();
    let { claims } = await sessions.begin(jo, undefined);
    await clock.advance(31 * DAY_MS);
    claims = { ...claims, seenMs: clock.now(), endsMs: clock.now() + 100 * DAY_MS, startedMs: clock.now() };
    const cookies = cookieHeader(await sessions.write(claims));
    expect(await replica().read(cookies)).toBeDefined();
  });

  it('is nobody when the cookie was changed, cut or sealed by another console', async () => {
    const { replica } = world();
    const sessions = replica();
    const cookies = cookieHeader((await sessions.begin(jo, undefined)).setCookie);
    const foreign = cookieHeader((await world().replica().begin(jo, undefined)).setCookie);
    const last = cookies.at(-5) === 'A' ? 'B' : 'A';
    const changed = `${cookies.slice(0, -5)}${last}${cookies.slice(-4)}`;
    for (const bad of [changed, cookies.slice(0, -4), '__Host-bravo=', '__Host-bravo=a.b.c.d.e', '']) {
      expect(await sessions.read(bad)).toBeUndefined();
    }
    expect(foreign).not.toBe(cookies);
  });

  it('is kept in several cookies when it is large, and refused when it is too large', async () => {
    const { replica } = world();
    const sessions = replica();
    const large = { ...jo, token: 'x'.repeat(6_000) };
    const { setCookie } = await sessions.begin(large, undefined);
    expect(setCookie.every((line) => line.length < 4_096)).toBe(true);
    expect(await sessions.read(cookieHeader(setCookie))).toMatchObject({ token: large.token });
    const tooLarge = sessions.begin({ ...jo, token: 'x'.repeat(12_000) }, undefined);
    await expect(tooLarge).rejects.toMatchObject({ status: 431, message: expect.stringContaining('do not fit') });
  });
});
