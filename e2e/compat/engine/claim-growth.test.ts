import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, plan } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'claims');
  const classes = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
  const fixed = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fixed' } };
  await engine.run(engine.people.create(classes, { ...fixed, provisioner: 'sandbox.bravo.kudo.dev/memory' }));
});
afterAll(() => engine?.stop());

describe('a PersistentVolumeClaim of a template', () => {
  const backups = (name: string): OperatorVersionSpec => ({
    parameters: [
      { name: 'SIZE', default: '1Gi', trigger: 'grow' },
      { name: 'CLASS', default: 'standard' },
    ],
    templates: {
      'claim.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: {{ .Params.CLASS }}
  resources: {requests: {storage: {{ .Params.SIZE }}}}
`,
    },
    tasks: [apply('backups', 'claim.yaml')],
    plans: { deploy: plan(['run', 'backups']), grow: plan(['run', 'backups']) },
  });

  it('grows by an edit of its size', async () => {
    await lab.deploy('claim', backups('claim'));
    await lab.edit('claim', { parameters: { SIZE: '2Gi' } }, 'grow');
    expect(lab.find('persistentvolumeclaims', 'claim')?.status).toMatchObject({ capacity: { storage: '2Gi' } });
  });

  it('does not when its class does not allow it, and the plan ends in words', async () => {
    await lab.deploy('stuck', backups('stuck'), { CLASS: 'fixed' });
    await lab.edit('stuck', { parameters: { SIZE: '2Gi', CLASS: 'fixed' } }, 'grow', { status: 'FATAL_ERROR' });
    expect(lab.events('stuck').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('PersistentVolumeClaim stuck cannot grow from 1Gi to 2Gi: StorageClass fixed'),
    );
  });
});
