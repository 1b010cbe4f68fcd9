import { describe, expect, it } from 'vitest';
import { accessTo } from '@/lib/kube/access';
import { scriptedApi } from '@/server/kube/test-api';
import { AccessReviews } from './access-reviews';

const question = accessTo('patch', { group: 'kudo.dev', resource: 'instances' }, 'demo');
const answering = (allowed: boolean) =>
  scriptedApi(() => ({ status: 201, body: { status: { allowed, reason: allowed ? '' : 'no rule' } } }));

describe('AccessReviews', () => {
  it('asks the API in the name of the person', async () => {
    const { api, clock, requests } = answering(false);
    const reviews = new AccessReviews(clock);
    expect(await reviews.ask({ identity: 'jo', api }, question)).toEqual({ allowed: false, reason: 'no rule' });
    expect(requests[0]?.path).toBe('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews');
    expect(JSON.parse(String(requests[0]?.body)).spec).toEqual({
      resourceAttributes: { verb: 'patch', group: 'kudo.dev', resource: 'instances', namespace: 'demo' },
    });
  });

  it('asks for a subresource as the API has it', async () => {
    const { api, clock, requests } = answering(true);
    const approve = accessTo('patch', { group: 'bravo.kudo.dev', resource: 'planapprovals/status' });
    await new AccessReviews(clock).ask({ identity: 'jo', api }, approve);
    expect(JSON.parse(String(requests[0]?.body)).spec).toEqual({
      resourceAttributes: { verb: 'patch', group: 'bravo.kudo.dev', resource: 'planapprovals', subresource: 'status' },
    });
  });

  it('believes an answer for 30 seconds, and asks once for many buttons', async () => {
    const { api, clock, requests } = answering(true);
    const reviews = new AccessReviews(clock);
    const ask = () => reviews.ask({ identity: 'jo', api }, question);
    await Promise.all([ask(), ask(), ask()]);
    await clock.advance(29_000);
    await ask();
    expect(requests).toHaveLength(1);
    await clock.advance(1_001);
    await ask();
    expect(requests).toHaveLength(2);
  });

  it('never answers one person with the rights of another', async () => {
    const admin = answering(true);
    const viewer = answering(false);
    const reviews = new AccessReviews(admin.clock);
    expect(await reviews.ask({ identity: 'admin', api: admin.api }, question)).toMatchObject({ allowed: true });
    expect(await reviews.ask({ identity: 'viewer', api: viewer.api }, question)).toMatchObject({ allowed: false });
  });

  it('leaves the button on while the API cannot be asked, and asks again', async () => {
    const { api, clock, requests } = scriptedApi((_, index) =>
      index === 0 ? { status: 403, body: {} } : { status: 201, body: { status: { allowed: false } } },
    );
    const reviews = new AccessReviews(clock);
    expect(await reviews.ask({ identity: 'jo', api }, question)).toEqual({ allowed: true, reason: '' });
    await clock.advance(1_000);
    expect(await reviews.ask({ identity: 'jo', api }, question)).toEqual({ allowed: false, reason: '' });
    expect(requests).toHaveLength(2);
  });

  it('asks an API that refuses reviews less and less often, however many buttons there are', async () => {
    const { api, clock, requests } = scriptedApi(() => ({ status: 403, body: {} }));
    const reviews = new AccessReviews(clock);
    const askedWithin = async (seconds: number) => {
      const before = requests.length;
      for (let second = 0; second < seconds; second++) {
        await reviews.ask({ identity: 'jo', api }, question);
        await clock.advance(1_000);
      }
      return requests.length - before;
    };
    expect(await askedWithin(60)).toBeLessThanOrEqual(7);
    await askedWithin(60);
    expect(await askedWithin(600)).toBeLessThanOrEqual(10);
    reviews.forget();
    expect(await askedWithin(1)).toBe(1);
  });
});
