import { describe, expect, it } from 'vitest';
import type { ExecutionStatus, Instance } from '@/lib/kudo/types';
import { heldDeletion } from './held-deletion';

interface Given {
  readonly status?: ExecutionStatus;
  readonly message?: string;
  readonly asked?: string;
  readonly isDeleted?: boolean;
  readonly finalizers?: string[];
}

function instance({ status = 'FATAL_ERROR', message = '', asked = 'c', ...given }: Given): Instance {
  const { isDeleted = true, finalizers = ['kudo.dev.instance.cleanup'] } = given;
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'db',
      namespace: 'lab',
      finalizers,
      ...(isDeleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { planExecution: { planName: 'cleanup', uid: asked } },
    status: { planStatus: { cleanup: { status, message, uid: 'c' } } },
  };
}

describe('heldDeletion', () => {
  it('says whether the cleanup failed or was cancelled, and what lets the deletion go on', () => {
    const cancelled = heldDeletion(instance({ message: 'The run was cancelled. No step is half done.' }));
    expect(cancelled?.reason).toBe('plan cleanup was cancelled');
    expect(cancelled?.message).toBe(
      'The deletion waits: plan cleanup was cancelled. Start it again with `bravo plan trigger --name cleanup --instance db -n lab`, or remove the finalizer kudo.dev.instance.cleanup to delete the Instance without the rest of it.',
    );
    expect(heldDeletion(instance({ message: 'a secret is missing' }))?.reason).toBe('plan cleanup failed');
  });

  it('is undefined while the cleanup runs or is asked for again, and when nothing of ours holds the Instance', () => {
    expect(heldDeletion(instance({ status: 'IN_PROGRESS' }))).toBeUndefined();
    expect(heldDeletion(instance({ asked: 'c2' }))).toBeUndefined();
    expect(heldDeletion(instance({ finalizers: ['somebody.example/else'] }))).toBeUndefined();
    expect(heldDeletion(instance({ isDeleted: false }))).toBeUndefined();
  });
});
