import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { NoticeRule } from '@/lib/kudo/notices/notice';
import { limits } from '@/lib/limits/limits';
import { type NoticeReceiver, startNoticeReceiver } from '@/test/engine/notice-receiver';
import { noticeRequest } from './notice-request';
import { createPostNotice } from './post-notice';

const NOW_MS = Date.parse('2026-11-24T02:00:00Z');
const KEY = '0123456789abcdef';
const content = {
  schema: 'bravo.kudo.dev/notice/v1',
  id: 'abc',
  notice: 'a',
  result: 'COMPLETE',
  at: '2026-11-24T02:00:00Z',
  namespace: 'shop',
  instance: 'pg',
  plan: 'backup',
  run: 'pg-backup-1',
  uid: 'u',
} as const;

let receiver: NoticeReceiver;
beforeAll(async () => {
  receiver = await startNoticeReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answers = [];
});

function noticeTo(url: string, signingKey?: string): NoticeRule {
  const rest = { id: 'i', name: 'a', plans: [], results: [], matchLabels: {}, namespaces: [] } as const;
  return { ...rest, url, format: 'json', signingKey };
}

const requestTo = (url: string, key?: string) => noticeRequest(noticeTo(url, key), content, NOW_MS);
const post = createPostNotice({ clock: systemClock, allowLocal: true });

describe('a notice that is posted', () => {
  it('is signed with its timestamp, and carries an id', async () => {
    expect(await post(requestTo(receiver.url, KEY))).toEqual({ is: 'delivered', status: 204 });
    const [got] = receiver.received;
    const { headers = {}, body = '' } = got ?? {};
    expect(got?.path).toBe('/hook/very-secret');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'abc',
      'x-bravo-delivery': 'abc',
      'x-bravo-timestamp': String(NOW_MS / 1_000),
    });
    const signed = Buffer.concat([Buffer.from(`${headers['x-bravo-timestamp']}.`), Buffer.from(body)]);
    expect(headers['x-bravo-signature-256']).toBe(
      `sha256=${createHmac('sha256', Buffer.from(KEY)).update(signed).digest('hex')}`,
    );
    expect(JSON.parse(body)).toEqual(content);
  });

  it('has no signature without a key', async () => {
    await post(requestTo(receiver.url));
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-bravo-signature-256');
  });

  it('is tried again after 429, 5xx and a broken connection, and not after anything else', async () => {
    receiver.answers = [{ status: 429, headers: { 'retry-after': '7' } }, 503, 404, 204];
    const outcomes = [];
    for (let count = 0; count < 4; count++) outcomes.push(await post(requestTo(receiver.url)));
    expect(outcomes).toEqual([
      { is: 'failed', why: 'answered 429', retryAfterMs: 7_000 },
      { is: 'failed', why: 'answered 503' },
      { is: 'refused', why: 'answered 404' },
      { is: 'delivered', status: 204 },
    ]);
    expect(await post(requestTo('http://127.0.0.1:9/very-secret'))).toEqual({
      is: 'failed',
      why: 'refuses connections',
    });
  });

  it('follows no redirect', async () => {
    receiver.answers = [{ status: 307, headers: { location: receiver.url } }];
    expect(await post(requestTo(receiver.url))).toEqual({
      is: 'refused',
      why: 'answered 307, and redirects are not followed',
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('is given up for this time after ten seconds without an answer', async () => {
    const clock = new VirtualClock();
    receiver.answers = [undefined];
    const outcome = createPostNotice({ clock, allowLocal: true })(requestTo(receiver.url));
    while (receiver.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(limits.notices.deadlineMs);
    expect(await outcome).toEqual({ is: 'failed', why: 'did not answer within 10 s' });
  });

  it('goes to no address of this machine or a metadata service, also by a name', async () => {
    const guarded = createPostNotice({ clock: systemClock, allowLocal: false });
    const port = new URL(receiver.url).port;
    const urls = [`http://localhost:${port}/`, `http://127.1:${port}/`, `http://[::ffff:7f00:1]:${port}/`];
    for (const url of urls) {
      expect(await guarded(requestTo(url))).toMatchObject({
        is: 'refused',
        why: expect.stringMatching(/^(is|resolves to) this machine$/),
      });
    }
    expect(await post(requestTo('http://169.254.169.254/latest'))).toMatchObject({ is: 'refused' });
    expect(receiver.received).toEqual([]);
  });
});
