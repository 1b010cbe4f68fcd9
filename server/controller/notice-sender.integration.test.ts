import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import type { NoticeRequest } from '@/server/notices/notice-request';
import { createPostNotice, type PostNotice, type PostOutcome } from '@/server/notices/post-notice';
import { Lab } from '@/test/engine/lab';
import { type NoticeReceiver, startNoticeReceiver } from '@/test/engine/notice-receiver';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, never } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';

const HOUR_MS = 3_600_000;
const KEY = 'the key of the signature';

const operator: OperatorVersionSpec = {
  tasks: [never, done],
  parameters: [{ name: 'A', default: 'a', trigger: 'deploy' }],
  plans: {
    deploy: plan(['run', 'done']),
    backup: plan(['save', 'done']),
    long: plan(['one', 'never'], ['two', 'never'], ['three', 'done']),
  },
};

let engine: VirtualEngine;
let lab: Lab;
let receiver: NoticeReceiver | undefined;
/** What was sent to a receiver that is not a server, and its answers: delivered when there are no more. */
let sent: (NoticeRequest & { readonly atMs: number })[] = [];
let answers: PostOutcome[] = [];

afterEach(async () => {
  await engine?.stop();
  await receiver?.close();
  receiver = undefined;
});

async function begin(postNotice: PostNotice = inMemory): Promise<void> {
  sent = [];
  answers = [];
  engine = await startVirtualEngine({ postNotice, notices: { allowLocal: true, consoleUrl: 'https://bravo.example' } });
  lab = await Lab.open(engine, 'shop');
}

const inMemory: PostNotice = async (request) => {
  sent.push({ ...request, atMs: engine.clock.now() });
  return answers.shift() ?? { is: 'delivered', status: 200 };
};

function configure(yaml: string, texts: { [key: string]: string } = {}, namespace = 'shop') {
  return lab.put(
    'secrets',
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'hooks', namespace, labels: { 'bravo.kudo.dev/notices': 'true' } },
      stringData: { 'notices.yaml': yaml, ...texts },
    },
    namespace,
  );
}

const trigger = (planName: string, name = 'pg') =>
  lab.patch('instances', name, { spec: { planExecution: { planName, uid: `${planName}-${engine.clock.now()}` } } });

const results = () => sent.map(({ body }) => JSON.parse(body)).map(({ run, result }) => `${run} ${result}`);
const noticesOf = (name: string) => lab.runs('pg').find(({ metadata }) => metadata.name === name)?.status?.notices;
const outcomesOf = (name: string) => (noticesOf(name) ?? []).map(({ result, outcome }) => [result, outcome]);

describe('a notice', () => {
  it('is sent for each result that it names, once, with what people need to know', async () => {
    await begin();
    await configure('{name: all, url: "https://hooks.example.org/x", results: [Started, Paused, COMPLETE]}');
    await engine.startController();
    await lab.deploy('pg', operator);
    expect(results()).toEqual(['pg-deploy-1 Started', 'pg-deploy-1 COMPLETE']);
    expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({
      schema: 'bravo.kudo.dev/notice/v1',
      notice: 'all',
      namespace: 'shop',
      instance: 'pg',
      plan: 'deploy',
      cause: 'Create',
      url: 'https://bravo.example/instances/shop/pg/runs/pg-deploy-1',
    });
    expect(outcomesOf('pg-deploy-1')).toEqual([
      ['Started', 'Delivered'],
      ['COMPLETE', 'Delivered'],
    ]);
    await trigger('long');
    await lab.run('pg-long-1', 'IN_PROGRESS');
    const skip = ['one', 'two'].map((step) => ({ phase: 'main', step, reason: 'a test' }));
    for (const count of [1, 2]) {
      await lab.patch('planruns', 'pg-long-1', { spec: { paused: true, skip: skip.slice(0, count) } });
      await lab.run('pg-long-1', 'Paused');
      await lab.patch('planruns', 'pg-long-1', { spec: { paused: false } });
      await lab.run('pg-long-1', count === 1 ? 'IN_PROGRESS' : 'COMPLETE');
    }
    await engine.pass(5_000);
    expect(results().slice(2)).toEqual(['pg-long-1 Started', 'pg-long-1 Paused', 'pg-long-1 COMPLETE']);
  });

  it('is about the Instances of its namespace, unless it is in the namespace of the controller', async () => {
    await begin();
    const other = await Lab.open(engine, 'other');
    await other.put('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'hooks', namespace: 'other', labels: { 'bravo.kudo.dev/notices': '' } },
      data: { 'a.yaml': '- {name: a, url: "https://a"}\n- {name: b, url: "https://b", namespaces: ["*"]}' },
    });
    await configure('{name: ops, url: "https://ops", namespaces: ["sh*"]}', {}, 'default');
    await engine.startController();
    await lab.deploy('pg', operator);
    expect(sent.map(({ url }) => url)).toEqual(['https://ops']);
    const [event] = other.events('hooks');
    expect(event).toMatchObject({ type: 'Warning', reason: 'InvalidNotices', involvedObject: { kind: 'ConfigMap' } });
    expect(event?.message).toBe(
      'ConfigMap other/hooks, key a.yaml, line 2: `namespaces` may name others only in the namespace of the controller.',
    );
  });

  it('is about Instances with its labels', async () => {
    await begin();
    await configure('{name: a, url: "https://a", instances: {matchLabels: {team: data}}}');
    await engine.startController();
    const version = await lab.operator('pg', operator);
    await lab.create('pg', version);
    await lab.create('data', version, {}, { labels: { team: 'data' } });
    await lab.ends('data', 'deploy');
    await lab.ends('pg', 'deploy');
    expect(results()).toEqual(['data-deploy-1 COMPLETE']);
  });

  it('costs no request when none is configured', async () => {
    await begin();
    await engine.startController();
    const before = engine.calls.length;
    await lab.deploy('pg', operator);
    expect(engine.calls.slice(before).filter(({ body }) => JSON.stringify(body)?.includes('notices'))).toEqual([]);
    expect(noticesOf('pg-deploy-1')).toBeUndefined();
  });

  it('costs one write of the PlanRun, after it was sent', async () => {
    await begin();
    await configure('{name: a, url: "https://a", results: [COMPLETE]}');
    await engine.startController();
    await lab.deploy('pg', operator);
    expect(lab.writes('planruns', 'pg-deploy-1').map(({ method }) => method)).toEqual(['POST', 'PUT', 'PATCH']);
  });
});

describe('a receiver that does not accept a notice', () => {
  it('gets it again with the same id, after its Retry-After or a growing delay', async () => {
    await begin();
    await configure('{name: a, url: "https://a/secret", results: [COMPLETE]}');
    await engine.startController();
    answers = [
      { is: 'failed', why: 'answered 429', retryAfterMs: 600_000 },
      ...many(5),
      { is: 'delivered', status: 200 },
    ];
    await lab.deploy('pg', operator);
    await engine.pass(HOUR_MS);
    expect(new Set(sent.map(({ headers }) => headers['x-bravo-delivery'])).size).toBe(1);
    const gaps = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(600_000);
    const bounds = [10_000, 20_000, 40_000, 80_000, 160_000];
    expect(gaps.slice(1).map((gap, index) => gap >= (bounds[index] ?? 0) / 2 && gap <= (bounds[index] ?? 0))).toEqual(
      Array(5).fill(true),
    );
    expect(outcomesOf('pg-deploy-1')).toEqual([['COMPLETE', 'Delivered']]);
    expect(engine.logged.join('\n')).not.toContain('secret');
    const [event] = engine.calls.filter(({ body }) => body?.reason === 'NoticeDelayed');
    expect(event?.body?.message).toBe('Notice a is tried again for a day: a answered 500.');
  });

  it('gets nothing more after a refusal, which is an event without the URL', async () => {
    await begin();
    await configure('{name: a, url: "https://hooks.example.org/secret", results: [COMPLETE]}');
    await engine.startController();
    answers = [{ is: 'refused', why: 'answered 404' }];
    await lab.deploy('pg', operator);
    await engine.pass(10 * 60_000);
    expect(sent).toHaveLength(1);
    expect(outcomesOf('pg-deploy-1')).toEqual([['COMPLETE', 'Failed']]);
    expect(lab.events('hooks').map(({ message }) => message)).toEqual([
      'Notice a was not delivered: hooks.example.org answered 404.',
    ]);
  });

  it('is given up after a day', async () => {
    await begin();
    await configure('{name: a, url: "https://hooks.example.org/secret", results: [COMPLETE]}');
    await engine.startController();
    answers = many(20);
    await lab.deploy('pg', operator);
    await engine.stopController();
    expect(outcomesOf('pg-deploy-1')).toEqual([['COMPLETE', undefined]]);
    engine.clock.after(limits.notices.triedForMs, () => undefined);
    await engine.pass(limits.notices.triedForMs);
    await engine.startController();
    await engine.pass(60_000);
    expect(outcomesOf('pg-deploy-1')).toEqual([['COMPLETE', 'Failed']]);
    expect(lab.events('hooks').map(({ message }) => message)).toEqual([
      'Notice a was not delivered: it was not accepted within 24 hours.',
    ]);
  });

  it('does not keep others waiting, and a notice that is deleted is dropped', async () => {
    await begin(async (request) => {
      sent.push({ ...request, atMs: engine.clock.now() });
      return request.url === 'https://a/' ? { is: 'failed', why: 'answered 500' } : { is: 'delivered', status: 200 };
    });
    await configure('- {name: a, url: "https://a/", results: [COMPLETE]}\n- {name: b, url: "https://b/"}');
    await engine.startController();
    await lab.deploy('pg', operator);
    expect(noticesOf('pg-deploy-1')?.map(({ outcome }) => outcome)).toEqual([undefined, 'Delivered']);
    await lab.remove('secrets', 'hooks');
    await engine.pass(1_000);
    expect(noticesOf('pg-deploy-1')?.map(({ outcome }) => outcome)).toEqual(['Dropped', 'Delivered']);
  });
});

const many = (count: number): PostOutcome[] => Array(count).fill({ is: 'failed', why: 'answered 500' });

describe('a controller that ends', () => {
  it('before it has sent a notice leaves it to the next one, over a real connection', async () => {
    const real = createPostNotice({ clock: systemClock, allowLocal: true });
    let last: Promise<unknown> = Promise.resolve();
    await begin((request, signal) => {
      const outcome = real(request, signal);
      last = outcome.catch(() => undefined);
      return outcome;
    });
    receiver = await startNoticeReceiver();
    receiver.answers = [500, 503];
    const { received } = receiver;
    const yaml = 'name: signed\nurlFrom: url\nsigningKeyFrom: hmac\nresults: [COMPLETE]\n';
    await configure(yaml, { url: receiver.url, hmac: KEY });
    await engine.startController();
    await lab.create('pg', await lab.operator('pg', operator));
    const until = async (count: number) => {
      while (received.length < count) {
        await engine.pass(500);
        engine.clock.after(500, () => undefined);
        await last;
      }
      await last;
    };
    await until(1);
    await engine.stopController();
    expect(outcomesOf('pg-deploy-1')).toEqual([['COMPLETE', undefined]]);
    await engine.startController();
    await until(3);
    await engine.pass(2_000);
    expect(outcomesOf('pg-deploy-1')).toEqual([['COMPLETE', 'Delivered']]);
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    for (const { headers, body } of received) {
      const signed = `${headers['x-bravo-timestamp']}.${body}`;
      const expected = createHmac('sha256', KEY).update(signed).digest('hex');
      expect(headers['x-bravo-signature-256']).toBe(`sha256=${expected}`);
    }
    await engine.stopController();
    await engine.startController();
    await engine.pass(HOUR_MS);
    expect(received).toHaveLength(3);
    expect(`${engine.logged}`).not.toContain('very-secret');
  });

  it('between the request and its record sends the notice again, with the same id', async () => {
    await begin();
    await configure('{name: a, url: "https://a", results: [COMPLETE]}');
    await engine.startController();
    engine.refuse(({ path, method }) => (path.includes('/planruns/') && method === 'PATCH' ? 500 : undefined));
    await lab.create('pg', await lab.operator('pg', operator));
    await engine.until('the notice is sent', () => sent.length === 1);
    await engine.pass(60_000);
    expect(sent).toHaveLength(1);
    await engine.stopController();
    engine.refuse(undefined);
    await engine.startController();
    await engine.pass(60_000);
    expect(new Set(sent.map(({ headers }) => headers['x-bravo-delivery'])).size).toBe(1);
    expect(sent).toHaveLength(2);
    expect(outcomesOf('pg-deploy-1')).toEqual([['COMPLETE', 'Delivered']]);
  });
});
