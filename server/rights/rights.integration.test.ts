import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { topics } from '@/lib/live/topic';
import { RightsBench } from '@/test/engine/rights-bench';

const READ = [{ apiGroups: ['kudo.dev'], resources: ['instances'], verbs: ['get', 'list', 'watch'] }];

describe('the stream of a person', () => {
  let bench: RightsBench;

  beforeEach(async () => {
    bench = await RightsBench.start();
    for (const name of ['demo', 'shop']) {
      await bench.namespace(name);
      await bench.instance(name, 'db');
    }
    await bench.role('reader', READ);
  });
  afterEach(() => bench.stop());

  it('has the objects of the namespaces that they may read, and no byte of another', async () => {
    await bench.bind('jo', 'reader', 'demo');
    const jo = bench.browse(bench.person('jo'), [topics.instances]);
    await bench.pass(2_000);
    await bench.instance('shop', 'hidden');
    await bench.pass(2_000);
    expect(jo.objects).toEqual(['demo/db']);
    expect(JSON.stringify(jo.frames)).not.toContain('shop');
  });

  it('gains a namespace within a second of its grant, and loses it within a second of its withdrawal', async () => {
    await bench.bind('jo', 'reader', 'demo');
    const jo = bench.browse(bench.person('jo'), [topics.instances]);
    await bench.pass(2_000);
    await bench.bind('jo', 'reader', 'shop');
    await bench.pass(1_000);
    expect(jo.objects).toEqual(['demo/db', 'shop/db']);
    await bench.unbind('jo', 'reader', 'demo');
    await bench.pass(1_000);
    expect(jo.objects).toEqual(['shop/db']);
  });

  it('says forbidden to a person without any right, until they get one', async () => {
    const jo = bench.browse(bench.person('jo'), [topics.instances]);
    await bench.pass(3_000);
    expect(jo.refusal).toMatch(/User "jo" cannot list resource "instances"/);
    await bench.bind('jo', 'reader', 'demo');
    await bench.pass(1_000);
    expect(jo.objects).toEqual(['demo/db']);
  });

  it('shows the namespaces of a person who may not list them', async () => {
    await bench.bind('jo', 'reader', 'demo');
    const jo = bench.browse(bench.person('jo'), [topics.namespaces]);
    await bench.pass(2_000);
    expect(jo.objects).toEqual(['demo']);
  });

  it('costs no further watch at the API server, however many persons and browsers there are', async () => {
    await bench.bind('jo', 'reader', 'demo');
    await bench.bind('kim', 'reader', 'shop');
    const open = () => ['jo', 'kim'].map((name) => bench.browse(bench.person(name), [topics.instances]));
    open();
    await bench.pass(2_000);
    const watches = () => bench.sent.filter(({ path }) => path.includes('watch=1')).length;
    const before = watches();
    for (let index = 0; index < 10; index++) open();
    await bench.pass(2_000);
    expect(watches()).toBe(before);
    expect(bench.sent.filter(({ user, path }) => user === 'jo' && !path.includes('reviews'))).toEqual([]);
  });

  it('asks one rules review a namespace, person and minute', async () => {
    for (let index = 0; index < 30; index++) await bench.instance('demo', `db-${index}`);
    await bench.bind('jo', 'reader', 'demo');
    for (let index = 0; index < 5; index++)
      bench.browse(bench.person('jo'), [topics.instances, topics.planRuns, topics.operatorVersions]);
    await bench.pass(5_000);
    const reviews = () => bench.sent.filter(({ path }) => path.includes('selfsubjectrulesreviews')).length;
    const before = reviews();
    await bench.pass(5 * 60_000 - 5_000);
    const namespaces = await bench.run(bench.admin.list({ group: '', version: 'v1', resource: 'namespaces' }));
    expect(reviews() - before).toBeLessThanOrEqual(5 * namespaces.items.length);
  });

  it('reads a topic with the own authority of a person where the account of the console may not', async () => {
    await bench.bind('jo', 'reader', 'demo');
    const narrow = bench.narrowed(['namespaces']);
    const jo = narrow.browse(bench.person('jo'), [{ ...topics.instances, namespace: 'demo' }]);
    await bench.pass(3_000);
    expect(jo.objects).toEqual(['demo/db']);
    narrow.close();
  });

  it('is the shared stream, without a review, for the account of the console', async () => {
    const console = { identity: 'console', user: { name: 'console' }, api: bench.api };
    const all = bench.browse(console, [topics.instances]);
    await bench.pass(2_000);
    expect(all.objects).toEqual(['demo/db', 'shop/db']);
    expect(bench.sent.filter(({ path }) => path.includes('reviews'))).toEqual([]);
  });
});
