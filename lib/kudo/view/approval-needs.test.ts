import { describe, expect, it } from 'vitest';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { approvalNeeds, approvalNeedWords, namespacesWaiting, parseSeenNeeds, withSeenNeeds } from './approval-needs';

const AT = '2026-01-01T00:00:00Z';
const NOW_MS = Date.parse(AT) + 60_000;
const request = (name: string, status: PlanApproval['status'] = {}, namespace = 'shop'): PlanApproval => ({
  apiVersion: 'bravo.kudo.dev/v1alpha1',
  kind: 'PlanApproval',
  metadata: { name, namespace, uid: name },
  spec: { instanceName: 'pg', plan: 'restore', requestedBy: 'alice' },
  status,
});
const open = request('open');
const approved = request('yes', { approvedBy: 'bob', approvedAt: AT });
const rejected = request('no', { rejectedBy: 'bob', rejectedAt: AT });
const used = request('used', { approvedBy: 'bob', approvedAt: AT, usedBy: 'x' });
const all = [open, approved, rejected, used, request('elsewhere', {}, 'other')];
const needsOf = (user: string | undefined, ...approvesIn: string[]) =>
  approvalNeeds(all, { user, approvesIn: new Set(approvesIn) }, NOW_MS);

describe('requests for approvals', () => {
  it('need who may approve there and did not ask', () => {
    expect(needsOf('bob', 'shop').map(({ id }) => id)).toEqual(['open waiting']);
    expect(needsOf('bob')).toEqual([]);
    expect(needsOf(undefined, 'shop')).toEqual([]);
    expect(namespacesWaiting(all)).toEqual(['other', 'shop']);
  });

  it('need who asked when they were decided, and not used yet', () => {
    const needs = needsOf('alice', 'shop');
    expect(needs.map(approvalNeedWords)).toEqual([
      'Plan restore of pg was approved by bob',
      'Plan restore of pg was rejected by bob',
    ]);
    expect(approvalNeeds(all, { user: 'alice', approvesIn: new Set() }, NOW_MS + 8 * 24 * 3_600_000)).toEqual([]);
    expect(approvalNeedWords({ ...(needs[0] ?? failed()), kind: 'waiting' })).toBe(
      'Plan restore of pg waits for your approval',
    );
  });

  it('are remembered as seen, whatever the browser has stored', () => {
    const seen = withSeenNeeds([], needsOf('bob', 'shop'));
    expect(withSeenNeeds(seen, needsOf('bob', 'shop'))).toBe(seen);
    expect(parseSeenNeeds(JSON.stringify(seen))).toEqual(seen);
    for (const text of [null, '{', '7', '[1]']) expect(parseSeenNeeds(text)).toEqual([]);
  });
});

function failed(): never {
  throw new Error('nothing needs the person');
}
