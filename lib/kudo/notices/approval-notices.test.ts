import { describe, expect, it } from 'vitest';
import type { PlanApproval, PlanApprovalStatus } from '@/lib/kudo/approvals/plan-approval';
import { limits } from '@/lib/limits/limits';
import { dueRequestNotices, isRequestOpen, keptNotices } from './approval-notices';
import { APPROVAL_REQUESTED } from './notice';
import { noticeBody, requestContent } from './notice-body';

const AT = '2026-11-24T02:03:12Z';
const NOW_MS = Date.parse(AT);

function request(status: PlanApprovalStatus = {}): PlanApproval {
  return {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanApproval',
    metadata: { name: 'pg-restore-1', namespace: 'shop' },
    spec: {
      instanceName: 'pg',
      plan: 'restore',
      operatorVersion: 'postgres-1',
      requestedBy: 'anna',
      requestedAt: AT,
      reason: 'ticket <7>',
    },
    status,
  };
}
const entry = { target: 'T', result: APPROVAL_REQUESTED, at: AT };
const due = (approval: PlanApproval, targets: readonly string[] = ['T'], nowMs = NOW_MS) =>
  dueRequestNotices(approval, (result) => (result === APPROVAL_REQUESTED ? targets : []), nowMs);

describe('the notices of a request', () => {
  it('are due while it waits, once for each receiver', () => {
    expect(due(request())).toEqual([entry]);
    expect(due(request({ notices: [entry] }))).toBeUndefined();
    expect(due(request({ notices: [entry] }), ['T', 'S'])).toEqual([entry, { ...entry, target: 'S' }]);
    expect(due(request(), [])).toBeUndefined();
  });

  it('are none when it was decided or used, and when it is older than notices are tried', () => {
    for (const status of [{ approvedBy: 'bob' }, { rejectedBy: 'bob' }, { usedBy: 'u' }]) {
      expect(due(request(status))).toBeUndefined();
      expect(isRequestOpen(request(status), NOW_MS)).toBe(false);
    }
    expect(due(request(), ['T'], NOW_MS + limits.notices.triedForMs)).toHaveLength(1);
    expect(due(request(), ['T'], NOW_MS + limits.notices.triedForMs + 1)).toBeUndefined();
    expect(due({ ...request(), spec: { requestedAt: 'yesterday' } })).toBeUndefined();
  });

  it('are not more than the limit, whoever wrote the others', () => {
    const many = Array.from({ length: 100 }, (_, index) => `T${index}`);
    expect(due(request(), many)).toHaveLength(limits.notices.perResult);
    const full = many.map((target) => ({ ...entry, target }));
    expect(due(request({ notices: full }), ['S'])).toBeUndefined();
  });

  it('stay when somebody writes the status, with what became of them', () => {
    const delivered = { ...entry, outcome: 'Delivered', endedAt: AT } as const;
    expect(keptNotices([entry], [])).toEqual([entry]);
    expect(keptNotices([entry], [delivered])).toEqual([delivered]);
    expect(keptNotices([delivered], [entry])).toEqual([delivered]);
    expect(keptNotices([delivered], [{ ...entry, target: 'S' }])).toEqual([delivered, { ...entry, target: 'S' }]);
    expect(keptNotices(undefined, undefined)).toEqual([]);
  });
});

describe('the body of the notice of a request', () => {
  const moment = { approval: request(), entry, id: 'abc', notice: 'a' };
  const message = 'A second person approves it with `bravo approval approve pg-restore-1 -n shop`.';
  const content = requestContent({ ...moment, consoleUrl: 'https://bravo.example.org' });

  it('names the PlanApproval and no run', () => {
    expect(JSON.parse(noticeBody(content, 'json'))).toEqual({
      schema: 'bravo.kudo.dev/notice/v1',
      id: 'abc',
      notice: 'a',
      result: 'ApprovalRequested',
      at: AT,
      namespace: 'shop',
      instance: 'pg',
      plan: 'restore',
      approval: 'pg-restore-1',
      requestedBy: 'anna',
      reason: 'ticket <7>',
      operatorVersion: 'postgres-1',
      message,
      url: 'https://bravo.example.org/instances/shop/pg/plans',
    });
  });

  it('is a text for Slack that says who asked, why, and how to approve', () => {
    expect(JSON.parse(noticeBody(content, 'slack')).text.split('\n')).toEqual([
      '*Plan restore of shop/pg waits for a second person* (ApprovalRequested)',
      'Requested by anna: ticket &lt;7&gt;',
      message,
      'Request: <https://bravo.example.org/instances/shop/pg/plans|pg-restore-1>',
    ]);
    expect(noticeBody(requestContent({ ...moment, consoleUrl: undefined }), 'slack')).toContain(
      'Request: pg-restore-1"',
    );
  });
});
