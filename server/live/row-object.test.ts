import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { rowObject, rowOrder } from './row-object';

const metadata = {
  name: 'a',
  namespace: 'demo',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-01-01T00:00:00Z',
};

describe('rowObject', () => {
  it('keeps of any object only its name, and what distinguishes its versions', () => {
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, labels: { app: 'x' }, annotations: { note: 'long' } },
      data: { text: 'x'.repeat(1_000) },
    };
    expect(rowObject(object)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    expect(object.data).toBeDefined();
  });

  it('keeps of an OperatorUpgrade everything but the values that go with the moves', () => {
    const object: KubeObject = {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'OperatorUpgrade',
      metadata,
      spec: { operator: 'db', instances: ['a'], parameters: { ZONE: 'west' } },
      status: { phase: 'Running' },
    };
    expect(rowObject(object)).toMatchObject({
      spec: { operator: 'db', instances: ['a'] },
      status: { phase: 'Running' },
    });
    expect(JSON.stringify(rowObject(object))).not.toContain('west');
  });

  it('keeps the state of an Instance, and the steps only of plans that are not done', () => {
    const phases = [{ name: 'main', status: 'COMPLETE', steps: [] }];
    const instance: KubeObject = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { ...metadata, labels: { 'kudo.dev/operator': 'pg', other: 'x' }, annotations: { note: 'long' } },
      spec: { operatorVersion: { name: 'pg-1' }, parameters: { SIZE: '3' }, planExecution: { planName: 'backup' } },
      status: {
        planStatus: {
          deploy: { name: 'deploy', status: 'COMPLETE', uid: '1', phases },
          backup: { name: 'backup', status: 'IN_PROGRESS', uid: '2', phases },
          restore: { name: 'restore', status: 'NEVER_RUN' },
        },
      },
    };
    expect(rowObject(instance)).toEqual({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { ...metadata, labels: { 'kudo.dev/operator': 'pg' } },
      spec: { operatorVersion: { name: 'pg-1' }, planExecution: { planName: 'backup' } },
      status: {
        planStatus: {
          deploy: { name: 'deploy', status: 'COMPLETE', uid: '1' },
          backup: { name: 'backup', status: 'IN_PROGRESS', uid: '2', phases },
        },
      },
    });
  });

  it('keeps the goal of backups of an Instance and of an OperatorVersion', () => {
    for (const kind of ['Instance', 'OperatorVersion']) {
      const annotations = { 'bravo.kudo.dev/backup-goal': '24h' };
      const object = { apiVersion: 'kudo.dev/v1beta1', kind, metadata: { ...metadata, annotations }, spec: {} };
      expect(rowObject(object).metadata.annotations).toEqual(annotations);
    }
  });

  it('keeps of the steps of a PlanRun that is over their ends and times, for the pages of its Instance alone', () => {
    const step = { name: 'a', status: 'COMPLETE', seconds: 3, message: 'long', startedAt: '2026-01-01T00:00:00Z' };
    const run = (status: string, steps = [step]): KubeObject => ({
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanRun',
      metadata,
      spec: { plan: 'backup' },
      status: { status, changes: [{ name: 'A' }], phases: [{ name: 'main', status: 'COMPLETE', steps }] },
    });
    const short = { name: 'main', steps: [{ name: 'a', status: 'COMPLETE', seconds: 3 }] };
    expect(rowObject(run('COMPLETE')).status).toEqual({ status: 'COMPLETE' });
    expect(rowObject(run('COMPLETE'), { withSteps: true }).status).toEqual({ status: 'COMPLETE', phases: [short] });
    expect(rowObject(run('IN_PROGRESS'), { withSteps: true }).status).toEqual({ status: 'IN_PROGRESS' });
    const many = run(
      'COMPLETE',
      Array.from({ length: 101 }, () => step),
    );
    expect(rowObject(many, { withSteps: true }).status).toEqual({ status: 'COMPLETE' });
  });

  it('keeps of a PlanSchedule when it starts and how its last slot went, not its parameters and history', () => {
    const schedule: KubeObject = {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanSchedule',
      metadata,
      spec: { instanceName: 'pg', schedule: '@daily', parameters: { A: 'long' } },
      status: { lastRun: 'pg-backup-1', problem: 'Busy.', history: [{ outcome: 'Started' }] },
    };
    expect(rowObject(schedule)).toMatchObject({ spec: { instanceName: 'pg', schedule: '@daily' } });
    expect(rowObject(schedule)).not.toHaveProperty('spec.parameters');
    expect(rowObject(schedule)).toHaveProperty('status', { lastRun: 'pg-backup-1', problem: 'Busy.' });
  });

  it('is at most 300 bytes for a ConfigMap with names of the usual length', () => {
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: 'orders-db-settings-00042', uid: '8f14e45f-ceea-467f-a8d4-0c2d6f0c9a11' },
    };
    expect(JSON.stringify(rowObject(object)).length).toBeLessThanOrEqual(300);
  });
});

describe('rowOrder', () => {
  it('puts failed Instances before running ones before the rest', () => {
    const instance = (status: string): KubeObject => ({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata,
      status: { planStatus: { deploy: { status } } },
    });
    expect(['COMPLETE', 'FATAL_ERROR', 'IN_PROGRESS', 'ERROR'].map((status) => rowOrder(instance(status)))).toEqual([
      2, 0, 1, 0,
    ]);
  });
});
