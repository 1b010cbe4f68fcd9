import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { systemRandom } from '@/lib/random/random';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { connectPersons } from '@/server/kube/person-api';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { CookieNames } from './cookies';
import { Keyring, keysOfDocument } from './keyring';
import { askWhoAmI } from './self-subject';
import { Sessions } from './sessions';
import { fileDocument, type SharedDocument, secretDocument } from './shared-document';
import { SignOuts } from './sign-outs';

let sandbox: Sandbox;
const settings = { idleMs: 3_600_000, lifetimeMs: 86_400_000, keysFile: undefined };
const clusterOf = (token: string) => plainCluster({ server: sandbox.url, ca: sandbox.caPem, token });

beforeAll(async () => {
  sandbox = await startSandbox({
    port: 0,
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  });
});

afterAll(() => sandbox.stop());

/** A replica of the console, as far as sessions go. */
function replica(clock: VirtualClock, document: (name: string) => SharedDocument): Sessions {
  return new Sessions({
    settings,
    names: new CookieNames(true),
    keyring: new Keyring(clock, keysOfDocument(document('bravo-session-keys'), clock, systemRandom)),
    signOuts: new SignOuts(document('bravo-sign-outs'), clock, settings.lifetimeMs),
    clock,
    random: systemRandom,
  });
}

const cookieOf = (setCookie: readonly string[]) => setCookie[0]?.split(';', 1)[0];

describe('replicas that share Secrets', () => {
  it('that start at the same time agree on one key, read each other’s sessions, and hear of sign-outs', async () => {
    const clock = new VirtualClock(Date.now());
    const api = createApi(clusterOf(sandbox.adminToken), { clock: systemClock });
    const document = (name: string) => secretDocument(api, { namespace: 'default', name });
    const replicas = [1, 2, 3].map(() => replica(clock, document));
    const person = { name: 'jo', groups: [] };
    const begun = await Promise.all(replicas.map((each) => each.begin({ person, token: 't' }, undefined)));
    for (const each of replicas) {
      for (const { setCookie } of begun) expect(await each.read(cookieOf(setCookie))).toMatchObject({ person });
    }
    const keys = await api.get({
      group: '',
      version: 'v1',
      resource: 'secrets',
      namespace: 'default',
      name: 'bravo-session-keys',
    });
    expect(Object.keys(keys?.data ?? {})).toHaveLength(1);
    await clock.advance(1);
    await replicas[0]?.end(begun[0]?.claims, 'everywhere');
    await clock.advance(5_000);
    for (const each of replicas) expect(await each.read(cookieOf(begun[1]?.setCookie ?? []))).toBeUndefined();
    await api.close();
  });
});

describe('a console on one machine', () => {
  it('keeps keys and sign-outs in files of its owner, over a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bravo-sessions-'));
    const clock = new VirtualClock(Date.now());
    const document = (name: string) => fileDocument(join(folder, `${name}.json`));
    const { setCookie, claims } = await replica(clock, document).begin(
      { person: { name: 'jo', groups: [] } },
      undefined,
    );
    expect(statSync(join(folder, 'bravo-session-keys.json')).mode & 0o777).toBe(0o600);
    expect(await replica(clock, document).read(cookieOf(setCookie))).toBeDefined();
    await replica(clock, document).end(claims, 'here');
    expect(await replica(clock, document).read(cookieOf(setCookie))).toBeUndefined();
  });
});

describe('a person’s connection', () => {
  it('impersonates users and groups, with names beyond ASCII, over the connections of all people', async () => {
    const connections = connectPersons(clusterOf(sandbox.adminToken), systemClock);
    const as = (name: string, groups: string[]) => connections.apiAs(() => ({ kind: 'impersonate', name, groups }));
    const seen = await Promise.all([
      askWhoAmI(as('Jörg Ωmega', ['devs', 'ops']), systemClock),
      askWhoAmI(as('lee', []), systemClock),
    ]);
    expect(seen[0]).toEqual({
      name: 'Jörg Ωmega',
      groups: expect.arrayContaining(['devs', 'ops', 'system:authenticated']),
    });
    expect(seen[1]).toEqual({ name: 'lee', groups: ['system:authenticated'] });
    await expect(askWhoAmI(as('jo\r\nx: y', []), systemClock)).rejects.toThrow(/control character/);
    await connections.close();
  });

  it('with a token never carries the console’s own credentials', async () => {
    const connections = connectPersons(clusterOf(sandbox.adminToken), systemClock);
    const api = connections.apiAs(() => ({ kind: 'bearer', token: 'not-a-token' }));
    await expect(askWhoAmI(api, systemClock)).rejects.toMatchObject({ status: 401, reason: 'TokenRefused' });
    await connections.close();
  });
});
