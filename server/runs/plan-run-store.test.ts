import { expect, it } from 'vitest';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { shrinkRun } from './plan-run-store';

const run: PlanRun = {
  apiVersion: 'bravo.kudo.dev/v1alpha1',
  kind: 'PlanRun',
  metadata: {
    name: 'pg-backup-1',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '7',
    labels: { a: 'b' },
    managedFields: [],
  },
  spec: { instanceName: 'pg', instanceUid: 'i', plan: 'backup', uid: 'e', requestedBy: 'ann', reason: 'ticket 7' },
  status: {
    status: 'COMPLETE',
    startedAt: '2026-01-05T03:00:00Z',
    finishedAt: '2026-01-05T03:01:00Z',
    phases: [{ name: 'main' }],
    changes: [{ name: 'A' }],
    outputs: [{ type: 'backup', name: 'monday' }],
    recordName: 'record',
    recordBytes: 300,
  },
};

it('of a run that is over only what names it and what decides how long it is kept is remembered', () => {
  const { apiVersion, kind, metadata, spec, status } = shrinkRun(run);
  expect({ apiVersion, kind, metadata, spec, status }).toEqual({
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanRun',
    metadata: { name: 'pg-backup-1', namespace: 'shop', uid: 'u', resourceVersion: '7' },
    spec: { instanceName: 'pg', instanceUid: 'i', plan: 'backup', uid: 'e' },
    status: {
      status: 'COMPLETE',
      finishedAt: '2026-01-05T03:01:00Z',
      outputs: [{ type: 'backup', name: 'monday' }],
      recordBytes: 300,
    },
  });
});

it('what is remembered of a run that is over stays as it is when it is remembered again', () => {
  const trace = shrinkRun(run);
  expect(shrinkRun(trace)).toBe(trace);
});

it('a run that is under way is remembered whole, without its managed fields', () => {
  const { managedFields: _, ...metadata } = run.metadata;
  const open: PlanRun = { ...run, status: { ...run.status, status: 'IN_PROGRESS' } };
  expect(shrinkRun(open)).toEqual({ ...open, metadata });
});

it('what a notice still has to tell of a run that is over is remembered', () => {
  const told = { target: 'Secret/shop/chat/ops', result: 'COMPLETE', at: '2026-01-05T03:01:00Z' };
  const waiting: PlanRun = { ...run, status: { ...run.status, notices: [told] } };
  expect(shrinkRun(waiting)).toMatchObject({ spec: run.spec, status: { recordName: 'record', notices: [told] } });
  expect(shrinkRun(waiting).status).not.toHaveProperty('phases');
  const delivered: PlanRun = { ...run, status: { ...run.status, notices: [{ ...told, outcome: 'Delivered' }] } };
  expect(shrinkRun(delivered).spec).not.toHaveProperty('reason');
});
