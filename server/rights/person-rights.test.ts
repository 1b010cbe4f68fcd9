import { describe, expect, it } from 'vitest';
import { parseJsonObject, stringAt } from '@/lib/json/json';
import { scriptedApi } from '@/server/kube/test-api';
import { PersonRights } from './person-rights';

const INSTANCES = { group: 'kudo.dev', resource: 'instances' };
const SECRETS = { group: '', resource: 'secrets' };

interface Granted {
  clusterWide: boolean;
  incomplete: boolean;
  /** By namespace: the resources that may be listed. */
  listed: { [namespace: string]: readonly string[] };
}

/** The rights of jo at an API server whose answers the test sets. */
function setUp(granted: Partial<Granted> = {}) {
  const given: Granted = { clusterWide: false, incomplete: false, listed: {}, ...granted };
  const { api, clock, requests } = scriptedApi((request) => {
    const body = parseJsonObject(String(request.body)) ?? {};
    if (request.path.endsWith('selfsubjectaccessreviews')) {
      const [resource, namespace] = ['resource', 'namespace'].map((key) =>
        stringAt(body, 'spec', 'resourceAttributes', key),
      );
      const allowed =
        namespace === undefined ? given.clusterWide : (given.listed[namespace] ?? []).includes(resource ?? '');
      return { status: 201, body: { status: { allowed } } };
    }
    const resources = given.incomplete ? [] : (given.listed[stringAt(body, 'spec', 'namespace') ?? ''] ?? []);
    const rule = { verbs: ['get', 'list'], apiGroups: ['*'], resources };
    return { status: 201, body: { status: { resourceRules: [rule], incomplete: given.incomplete } } };
  });
  const person = { identity: 'jo', user: { name: 'jo' }, api };
  const rights = new PersonRights(person, { clock, refreshMs: () => 60_000 });
  const asked = (word: string) => requests.filter(({ path }) => path.includes(word)).length;
  return { rights, clock, given, asked };
}

describe('PersonRights', () => {
  it('asks one rules review a namespace for every resource in it', async () => {
    const { rights, clock, asked } = setUp({ listed: { demo: ['instances'] } });
    rights.follow(() => {});
    expect(rights.mayRead(INSTANCES, 'demo')).toBeUndefined();
    expect(rights.mayRead(SECRETS, 'demo')).toBeUndefined();
    await clock.advance(100);
    expect(rights.mayRead(INSTANCES, 'demo')).toBe(true);
    expect(rights.mayRead(SECRETS, 'demo')).toBe(false);
    expect(asked('rulesreviews')).toBe(1);
  });

  it('asks again once a minute while somebody follows, and never for what nobody needs any more', async () => {
    const { rights, clock, asked } = setUp({ listed: { demo: ['instances'] } });
    let needs = ['demo', 'other'];
    rights.follow(() => {
      for (const namespace of needs) rights.mayRead(INSTANCES, namespace);
    });
    for (const namespace of needs) rights.mayRead(INSTANCES, namespace);
    await clock.advance(59_000);
    expect(asked('rulesreviews')).toBe(2);
    needs = ['demo'];
    await clock.advance(5 * 60_000);
    expect(asked('rulesreviews')).toBe(2 + 5);
  });

  it('tells its followers when a namespace was granted', async () => {
    const { rights, clock, given } = setUp();
    const seen: (boolean | undefined)[] = [];
    rights.follow(() => seen.push(rights.mayRead(INSTANCES, 'demo')));
    rights.mayRead(INSTANCES, 'demo');
    await clock.advance(100);
    given.listed = { demo: ['instances'] };
    rights.invalidate('demo');
    await clock.advance(100);
    expect(seen).toEqual([false, true]);
  });

  it('asks for each resource where the rules are incomplete', async () => {
    const { rights, clock, asked } = setUp({ incomplete: true, listed: { demo: ['instances'] } });
    rights.follow(() => {
      rights.mayRead(INSTANCES, 'demo');
      rights.mayRead(SECRETS, 'demo');
    });
    rights.mayRead(INSTANCES, 'demo');
    await clock.advance(200);
    expect(rights.mayRead(INSTANCES, 'demo')).toBe(true);
    expect(rights.mayRead(SECRETS, 'demo')).toBe(false);
    expect(asked('selfsubjectaccessreviews')).toBe(2);
  });

  it('asks once whether all namespaces may be read', async () => {
    const { rights, clock, asked } = setUp({ clusterWide: true });
    rights.follow(() => {});
    rights.mayReadAll(INSTANCES);
    rights.mayReadAll(INSTANCES);
    await clock.advance(100);
    expect(rights.mayReadAll(INSTANCES)).toBe(true);
    expect(asked('selfsubjectaccessreviews')).toBe(1);
  });

  it('shows a namespace in which operators may be read', async () => {
    const { rights, clock } = setUp({ listed: { demo: ['instances'], shop: ['secrets'], named: ['namespaces'] } });
    rights.follow(() => {});
    for (const name of ['demo', 'shop', 'named']) rights.maySee(name);
    await clock.advance(100);
    expect(['demo', 'shop', 'named'].map((name) => rights.maySee(name))).toEqual([true, false, true]);
  });

  it('forgets every answer with its last follower', async () => {
    const { rights, clock } = setUp({ listed: { demo: ['instances'] } });
    const end = rights.follow(() => {});
    rights.mayRead(INSTANCES, 'demo');
    await clock.advance(100);
    end();
    rights.follow(() => {});
    expect(rights.mayRead(INSTANCES, 'demo')).toBeUndefined();
  });
});
