import { beforeEach, describe, expect, it } from 'vitest';
import { auditEntry } from '@/lib/audit/audit-fixture';
import { getAt, type JsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { EntryRights } from './entry-rights';

/** A person who may list `everywhere`, and has these rules in namespace demo. */
function person(name: string, everywhere: readonly string[], rules: readonly JsonObject[] = []) {
  const { api, requests, clock } = scriptedApi(({ path, body }) => {
    const spec = getAt(parseJsonObject(String(body)), 'spec');
    if (path.endsWith('selfsubjectrulesreviews')) {
      const isDemo = stringAt(spec, 'namespace') === 'demo';
      return { status: 201, body: { status: { resourceRules: isDemo ? [...rules] : [], incomplete: false } } };
    }
    const resource = stringAt(spec, 'resourceAttributes', 'resource') ?? '';
    const namespace = stringAt(spec, 'resourceAttributes', 'namespace') ?? '';
    return { status: 201, body: { status: { allowed: namespace === '' && everywhere.includes(resource) } } };
  });
  return { session: { user: { name, groups: [] }, identity: name, api }, requests, clock };
}

const READ_INSTANCES = { verbs: ['get'], apiGroups: ['kudo.dev'], resources: ['instances'] };
const secret = { group: '', version: 'v1', resource: 'secrets', namespace: 'demo', name: 'pw', subresource: '' };
const session = { group: '', version: '', resource: 'sessions', namespace: '', name: '', subresource: '' };
const entries = [
  auditEntry({ name: 'in-demo' }),
  auditEntry({ name: 'in-shop', namespace: 'shop' }),
  { ...auditEntry(), id: 'secret', object: secret },
  { ...auditEntry(), id: 'sign-in', verb: 'sign-in', object: session },
];

describe('what a person sees of the activity of others', () => {
  let seen: (who: ReturnType<typeof person>) => Promise<string[]>;
  beforeEach(() => {
    seen = async ({ session: own, clock }) => {
      const rights = new EntryRights(clock);
      return (await rights.visible(entries, own)).entries.map(({ id }) => id);
    };
  });

  it('is nothing without rights', async () => {
    expect(await seen(person('kim', []))).toEqual([]);
  });

  it('is what concerns objects of the namespaces that they may read', async () => {
    expect(await seen(person('kim', [], [READ_INSTANCES]))).toEqual(['request-in-demo']);
  });

  it('is one object where the right names it', async () => {
    const named = (name: string) => person('kim', [], [{ ...READ_INSTANCES, resourceNames: [name] }]);
    expect(await seen(named('in-demo'))).toEqual(['request-in-demo']);
    expect(await seen(named('other'))).toEqual([]);
  });

  it('has sign-ins for who may list all Instances, and Secrets for who may read Secrets', async () => {
    expect(await seen(person('kim', ['instances']))).toEqual(['request-in-demo', 'request-in-shop', 'sign-in']);
    expect(await seen(person('kim', ['instances', 'secrets']))).toHaveLength(4);
  });

  it('does not limit what they did themselves', async () => {
    expect(await seen(person('jo', []))).toHaveLength(4);
  });

  it('is asked for once in 30 s', async () => {
    const kim = person('kim', [], [READ_INSTANCES]);
    const rights = new EntryRights(kim.clock);
    await rights.visible(entries, kim.session);
    const asked = kim.requests.length;
    await rights.visible(entries, kim.session);
    expect(kim.requests).toHaveLength(asked);
    await kim.clock.advance(30_000);
    await rights.visible(entries, kim.session);
    expect(kim.requests).toHaveLength(2 * asked);
  });

  it('is not guessed while the API server does not answer', async () => {
    const { api, clock } = scriptedApi(() => ({ status: 500, body: statusBody(500, 'broken') }));
    const kim = { user: { name: 'kim', groups: [] }, identity: 'kim', api };
    await expect(new EntryRights(clock).visible(entries, kim)).rejects.toThrow('broken');
  });

  it('says that there are too many namespaces to ask about', async () => {
    const kim = person('kim', []);
    const many = Array.from({ length: 600 }, (_, index) => auditEntry({ namespace: `n-${index}` }));
    expect(await new EntryRights(kim.clock).visible(many, kim.session)).toEqual({ entries: [], isPartial: true });
  });
});
