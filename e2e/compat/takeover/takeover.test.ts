import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getAt, numberAt, objectAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { comparable, loadDump, readDump } from './namespace-dump';

/** Namespaces that the real KUDO managed: Bravo continues, and the result is KUDO's own. No controllers run but those of the test. */
describe('taking over from KUDO 0.19', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine({ mode: 'no-controllers' });
    lab = new Lab(engine, 'taken');
  });
  afterEach(() => engine?.stop());

  const takeOver = async (name: string) => {
    await loadDump(engine, readDump(`${name}.before`), 'taken');
    await engine.startController();
    await engine.pass(5_000);
  };

  /** Compares each object with KUDO's result; pods and ReplicaSets come from controllers that do not run here. */
  const compareEnd = (name: string) => {
    const theirs = readDump(`${name}.after`).filter(({ kind }) => !['Pod', 'ReplicaSet', 'Instance'].includes(kind));
    for (const object of theirs) {
      const ours = lab.find(RESOURCES[object.kind] ?? object.kind, nameOf(object));
      expect(ours && comparable(ours, 'taken')).toEqual(comparable(object, object.metadata.namespace ?? ''));
    }
  };

  /** Pods first, as it happens in a cluster. */
  const makeReady = async (name: string) => {
    const pods = engine.sandbox.api.list({ group: '', version: 'v1', resource: 'pods', namespace: 'taken' });
    for (const pod of pods) {
      const conditions = [{ type: 'Ready', status: 'True' }];
      await lab.patch('pods', nameOf(pod), { status: { phase: 'Running', conditions } }, 'status');
    }
    const deployment = lab.find('deployments', name);
    const count = numberAt(deployment?.spec, 'replicas') ?? 1;
    const counts = { replicas: count, updatedReplicas: count, readyReplicas: count, availableReplicas: count };
    const status = { observedGeneration: deployment?.metadata.generation ?? 1, ...counts };
    await lab.patch('deployments', name, { status }, 'status');
  };

  const theirPlan = (name: string, plan: string) => {
    const instance = readDump(name).find(({ kind }) => kind === 'Instance');
    const { lastUpdatedTimestamp: _, ...status } = objectAt(instance?.status, 'planStatus', plan);
    return status;
  };
  const ourPlan = (instance: Instance, plan: string) => {
    const { lastUpdatedTimestamp: _, ...status } = instance.status?.planStatus?.[plan] ?? {};
    return status;
  };

  it('continues a plan in progress under its uid, and does not write what KUDO applied', async () => {
    await takeOver('first-operator-midplan');
    expect(lab.instance('app').status?.planStatus?.deploy?.status).toBe('IN_PROGRESS');
    await makeReady('nginx-deployment');
    const after = await lab.ends('app', 'deploy');
    expect(ourPlan(after, 'deploy')).toEqual(theirPlan('first-operator-midplan.after', 'deploy'));
    expect(lab.ready('app')).toMatchObject({ status: 'True', reason: 'ResourcesReady' });
    expect(lab.writes('deployments', 'nginx-deployment')).toEqual([]);
    compareEnd('first-operator-midplan');
  });

  it('starts nothing on a finished Instance, and scales it after an edit without replacing pods', async () => {
    await takeOver('first-operator-finished');
    const before = lab.find('deployments', 'nginx-deployment');
    const idle = lab.instance('app');
    expect([idle.spec?.planExecution ?? {}, lab.writes('deployments', 'nginx-deployment')]).toEqual([{}, []]);
    await lab.patch('instances', 'app', { spec: { parameters: { replicas: '3' } } });
    const replicas = () => numberAt(lab.find('deployments', 'nginx-deployment')?.spec, 'replicas');
    await engine.until('the Deployment is scaled', () => replicas() === 3);
    await makeReady('nginx-deployment');
    await lab.ends('app', 'deploy', { not: idle.status?.planStatus?.deploy?.uid });
    const after = lab.find('deployments', 'nginx-deployment');
    expect(getAt(after?.spec, 'template')).toEqual(getAt(before?.spec, 'template'));
    compareEnd('first-operator-finished');
  });

  it('does not change a plan that ended in a fatal error', async () => {
    const theirs = readDump('rendering-error.before').find(({ kind }) => kind === 'Instance') as KubeObject;
    await takeOver('rendering-error');
    const ours = lab.instance(nameOf(theirs));
    expect(ours.status?.planStatus).toEqual(getAt(theirs.status, 'planStatus'));
    expect(ours.spec?.planExecution ?? {}).toEqual({});
  });

  it('finishes a cleanup in progress, and removes the finalizer', async () => {
    await takeOver('cleanup-running');
    const during = lab.instance('app');
    expect(during.status?.planStatus?.cleanup).toMatchObject(theirPlan('cleanup-running.before', 'cleanup'));
    await makeReady('cleanup-deployment');
    await engine.until('the Instance is deleted', () => lab.find('instances', 'app') === undefined);
    expect(lab.writes('deployments', 'cleanup-deployment')).toEqual([]);
    compareEnd('cleanup-running');
  });

  it('runs a backup again after an edit, and creates its Job again', async () => {
    await takeOver('mysql-backed-up');
    const before = lab.instance('db');
    expect(before.status?.planStatus).toEqual(
      getAt(readDump('mysql-backed-up.before').find(({ kind }) => kind === 'Instance')?.status, 'planStatus'),
    );
    await lab.patch('instances', 'db', { spec: { parameters: { BACKUP_FILE: 'other.sql' } } });
    await engine.until('the Job exists', () => lab.find('jobs', 'backup-job') !== undefined);
    expect(JSON.stringify(lab.find('jobs', 'backup-job')?.spec)).toContain('/backups/other.sql');
    await lab.patch('jobs', 'backup-job', { status: { succeeded: 1 } }, 'status');
    await engine.until('the Job is being removed', () => {
      const job = lab.find('jobs', 'backup-job');
      return job === undefined || job.metadata.deletionTimestamp !== undefined;
    });
    // The garbage collector of a cluster ends a foreground deletion.
    if (lab.find('jobs', 'backup-job') !== undefined) {
      await lab.patch('jobs', 'backup-job', { metadata: { finalizers: null } });
    }
    const after = await lab.ends('db', 'backup', { not: before.status?.planStatus?.backup?.uid });
    const { uid: _, ...theirs } = theirPlan('mysql-backed-up.after', 'backup');
    expect(ourPlan(after, 'backup')).toMatchObject(theirs);
    expect(lab.find('jobs', 'backup-job')).toBeUndefined();
    expect(lab.writes('deployments', 'db')).toEqual([]);
    compareEnd('mysql-backed-up');
  });
});

const RESOURCES: { readonly [kind: string]: string } = {
  Operator: 'operators',
  OperatorVersion: 'operatorversions',
  Service: 'services',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  Deployment: 'deployments',
};
