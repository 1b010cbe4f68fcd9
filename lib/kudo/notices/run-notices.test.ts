import { describe, expect, it } from 'vitest';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { limits } from '@/lib/limits/limits';
import type { NoticeResult } from './notice';
import { noticeBody, noticeContent } from './notice-body';
import { deliveryId, withDueNotices, withOutcome } from './run-notices';

const NOW_MS = Date.parse('2026-11-24T02:03:12Z');
const AT = '2026-11-24T02:03:12Z';
const all = () => ['T'];
const only = (wanted: NoticeResult) => (result: NoticeResult) => (result === wanted ? ['T'] : []);

describe('the notices of a run', () => {
  it('are due when the run comes to a result, and once for each', () => {
    const paused = withDueNotices({ status: 'IN_PROGRESS' }, { status: 'Paused' }, all, NOW_MS);
    expect(paused.notices).toEqual([{ target: 'T', result: 'Paused', at: AT }]);
    const same = { ...paused, message: 'still' };
    expect(withDueNotices(paused, same, all, NOW_MS)).toBe(same);
    const again = withDueNotices({ ...paused, status: 'IN_PROGRESS' }, paused, all, NOW_MS);
    expect(again).toBe(paused);
  });

  it('begin with the start, also of a run that is written once', () => {
    const results = withDueNotices(undefined, { status: 'COMPLETE' }, all, NOW_MS).notices?.map(({ result }) => result);
    expect(results).toEqual(['Started', 'COMPLETE']);
    const next = { status: 'IN_PROGRESS' } as const;
    expect(withDueNotices({ status: 'PENDING' }, next, all, NOW_MS)).toBe(next);
  });

  it('are none when nobody is told', () => {
    const next = { status: 'COMPLETE' } as const;
    expect(withDueNotices({}, next, only('Paused'), NOW_MS)).toBe(next);
  });

  it('are not more than the limit for a result', () => {
    const many = () => Array.from({ length: 100 }, (_, index) => `T${index}`);
    const { notices } = withDueNotices({ status: 'IN_PROGRESS' }, { status: 'COMPLETE' }, many, NOW_MS);
    expect(notices?.map(({ target }) => target)).toEqual(many().slice(0, limits.notices.perResult));
  });

  it('have one outcome each', () => {
    const notices = [{ target: 'T', result: 'Paused', at: AT }];
    const outcome = { outcome: 'Delivered', endedAt: AT } as const;
    const after = withOutcome(notices, { target: 'T', result: 'Paused' }, outcome);
    expect(after).toEqual([{ ...notices[0], ...outcome }]);
    expect(withOutcome(after, { target: 'T', result: 'Paused' }, outcome)).toBeUndefined();
    expect(withOutcome(notices, { target: 'T', result: 'COMPLETE' }, outcome)).toBeUndefined();
  });

  it('have an id that depends on run, result and receiver', () => {
    const ids = [
      deliveryId('u', { target: 'T', result: 'Paused' }),
      deliveryId('v', { target: 'T', result: 'Paused' }),
      deliveryId('u', { target: 'S', result: 'Paused' }),
      deliveryId('u', { target: 'T', result: 'COMPLETE' }),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(deliveryId('u', { target: 'T', result: 'Paused', at: AT })).toBe(ids[0]);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});

const run: PlanRun = {
  apiVersion: 'bravo.kudo.dev/v1alpha1',
  kind: 'PlanRun',
  metadata: { name: 'pg-backup-7', namespace: 'shop' },
  spec: {
    instanceName: 'pg',
    plan: 'backup',
    uid: 'u-1',
    cause: 'Manual',
    requestedBy: 'anna@example.org',
    reason: 'before the <!channel> sale & more',
  },
  status: { status: 'FATAL_ERROR', message: 'Pod pg-0: the image does not exist.', startedAt: '2026-11-24T02:00:00Z' },
};
const entry = { target: 'Secret/shop/hooks/a', result: 'FATAL_ERROR', at: AT };
const moment = { run, entry, id: 'abc', notice: 'a', consoleUrl: 'https://bravo.example.org' };

describe('the body of a notice', () => {
  it('is JSON with everything that is known', () => {
    expect(JSON.parse(noticeBody(noticeContent(moment), 'json'))).toEqual({
      schema: 'bravo.kudo.dev/notice/v1',
      id: 'abc',
      notice: 'a',
      result: 'FATAL_ERROR',
      at: AT,
      namespace: 'shop',
      instance: 'pg',
      plan: 'backup',
      run: 'pg-backup-7',
      uid: 'u-1',
      cause: 'Manual',
      requestedBy: 'anna@example.org',
      reason: 'before the <!channel> sale & more',
      startedAt: '2026-11-24T02:00:00Z',
      durationSeconds: 192,
      message: 'Pod pg-0: the image does not exist.',
      url: 'https://bravo.example.org/instances/shop/pg/runs/pg-backup-7',
    });
  });

  it('is a text for Slack, in which the words of people mention nobody', () => {
    expect(JSON.parse(noticeBody(noticeContent(moment), 'slack'))).toEqual({
      text: [
        '*Plan backup of shop/pg failed* after 3 min 12 s (FATAL_ERROR)',
        'The plan was started, requested by anna@example.org: before the &lt;!channel&gt; sale &amp; more',
        'Pod pg-0: the image does not exist.',
        'Run: <https://bravo.example.org/instances/shop/pg/runs/pg-backup-7|pg-backup-7>',
      ].join('\n'),
    });
  });

  it('has no message of a later result, and no link when the address of the console is not known', () => {
    const content = noticeContent({ ...moment, consoleUrl: undefined, entry: { ...entry, result: 'Paused' } });
    expect(content).not.toHaveProperty('message');
    expect(content).not.toHaveProperty('url');
    expect(noticeBody(content, 'slack')).toContain('is paused');
  });

  it('is never larger than the limit', () => {
    const reason = '€"'.repeat(50_000);
    for (const format of ['json', 'slack'] as const) {
      const body = noticeBody(noticeContent({ ...moment, run: { ...run, spec: { ...run.spec, reason } } }), format);
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(limits.notices.bodyBytes);
      expect(JSON.parse(body)).toBeTypeOf('object');
    }
  });
});
