import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { formatInventory, INVENTORY_ANNOTATION } from '@/lib/kudo/inventory/inventory';
import type { Instance } from '@/lib/kudo/types';
import { RemovedByHand } from './removed-by-hand';

const ARTIFACT = 'sim.backup.p0.pipe.pipe.env';
const POD = 'sim.backup.p0.pipe.pipe.pipepod';

function object(kind: string, name: string, uid = 'u1'): KubeObject {
  const annotations = { 'kudo.dev/last-plan-execution-uid': uid };
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'ns', annotations } };
}

/** An Instance whose inventory has the artifact as an execution left it. */
function leftBy(uid: string): Instance {
  const entry = { apiVersion: 'v1', kind: 'ConfigMap', name: ARTIFACT, phase: 'p0', step: 'pipe', task: 'pipe' };
  const run = { plan: 'backup', uid, startedAt: '', objects: [{ ...entry, digest: 'd' }] };
  const annotations = { [INVENTORY_ANNOTATION]: formatInventory({ runs: [run] }) ?? '' };
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name: 'sim', namespace: 'ns', annotations } };
}

const artifact = { kind: 'ConfigMap', namespace: 'ns', name: ARTIFACT };

describe('what a user deleted by hand', () => {
  it('may be created again', () => {
    const removed = new RemovedByHand();
    removed.note(object('ConfigMap', 'sim-own'), leftBy('u1'));
    expect(removed.mayReturn(object('ConfigMap', 'sim-own'))).toBe(true);
    expect(removed.mayReturn(object('ConfigMap', 'sim-config'))).toBe(false);
    expect(removed.isLost({ ...artifact, name: 'sim-own' }, 'u1')).toBe(false);
  });

  it('brings back the pod of the execution that had copied it, and leaves its content unknown', () => {
    const removed = new RemovedByHand();
    removed.note(object('ConfigMap', ARTIFACT), leftBy('earlier'));
    expect(removed.mayReturn(object('Pod', POD))).toBe(true);
    expect(removed.isLost(artifact, 'u1')).toBe(true);
  });

  it('brings back the pod of no other execution or step', () => {
    const removed = new RemovedByHand();
    removed.note(object('ConfigMap', ARTIFACT), leftBy('earlier'));
    expect(removed.mayReturn(object('Pod', POD, 'u2'))).toBe(false);
    expect(removed.mayReturn(object('Pod', 'sim.backup.p1.pipe.pipe.pipepod'))).toBe(false);
    expect(removed.isLost(artifact, 'u2')).toBe(false);
  });

  it('is known, and needs no pod, once the controller has stored what the execution left', () => {
    const removed = new RemovedByHand();
    removed.note(object('ConfigMap', ARTIFACT), leftBy('u1'));
    expect(removed.mayReturn(object('Pod', POD))).toBe(false);
    expect(removed.isLost(artifact, 'u1')).toBe(false);
  });
});
