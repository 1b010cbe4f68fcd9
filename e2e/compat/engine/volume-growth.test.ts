import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { nameOf } from '@/lib/kube/object';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, plan, statefulSet } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'growth');
  await engine.run(
    engine.people.create(
      { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' },
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'fixed' },
        provisioner: 'sandbox.bravo.kudo.dev/memory',
      },
    ),
  );
});
afterAll(() => engine?.stop());

/** A database with `MEMBERS` pods and two volumes for each, which a plan `grow` makes larger. */
function database(name: string, annotation = 'bravo.kudo.dev/grow-volumes: "true"'): OperatorVersionSpec {
  const claim = (template: string, size: string) =>
    `  - metadata: {name: ${template}}
    spec:
      accessModes: [ReadWriteOnce]
      storageClassName: {{ .Params.CLASS }}
      resources: {requests: {storage: {{ ${size} }}}}
`;
  const claims = `  volumeClaimTemplates:\n${claim('data', '.Params.SIZE')}${claim('log', '"1Gi"')}`;
  const set = statefulSet(name, { replicas: '{{ .Params.MEMBERS }}', image: '{{ .Params.IMAGE }}', spec: claims });
  return {
    parameters: [
      { name: 'SIZE', default: '1Gi', trigger: 'grow' },
      { name: 'MEMBERS', default: '2' },
      { name: 'IMAGE', default: 'nginx' },
      { name: 'CLASS', default: 'standard' },
    ],
    templates: { 'set.yaml': set.replace('metadata:\n', `metadata:\n  annotations: {${annotation}}\n`) },
    tasks: [apply('members', 'set.yaml')],
    plans: { deploy: plan(['run', 'members']), grow: plan(['run', 'members']) },
  };
}

const pods = (name: string) =>
  engine.sandbox.api
    .list({ group: '', version: 'v1', resource: 'pods', namespace: 'growth' })
    .filter((pod) => nameOf(pod).startsWith(`${name}-`));
const uids = (name: string) => pods(name).map(({ metadata }) => metadata.uid);
const sizes = (name: string, claims: readonly string[]) =>
  claims.map((claim) => {
    const found = lab.find('persistentvolumeclaims', `${claim.split('-')[0]}-${name}-${claim.split('-')[1]}`);
    const asked = stringAt(found?.spec, 'resources', 'requests', 'storage');
    return `${asked} ${stringAt(found?.status, 'capacity', 'storage')}`;
  });
const grow = (name: string, SIZE: string, more: object = {}) =>
  lab.edit(name, { parameters: { SIZE, ...more } }, 'grow');

describe('a larger size in the claim templates of a StatefulSet', () => {
  it('grows the volumes of its pods, and no pod restarts', async () => {
    await lab.deploy('plain', database('plain'));
    const before = lab.find('statefulsets', 'plain');
    const pod = uids('plain');
    await grow('plain', '2Gi');
    expect(sizes('plain', ['data-0', 'data-1', 'log-0'])).toEqual(['2Gi 2Gi', '2Gi 2Gi', '1Gi 1Gi']);
    expect(uids('plain')).toEqual(pod);
    expect(pod).toHaveLength(2);
    const after = lab.find('statefulsets', 'plain');
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(objectAt(after?.status).updateRevision).toBe(objectAt(before?.status).updateRevision);
    const [data] = arrayAt(after?.spec, 'volumeClaimTemplates');
    expect(stringAt(data, 'spec', 'resources', 'requests', 'storage')).toBe('2Gi');
    expect(lab.find('persistentvolumeclaims', 'data-plain-0')?.metadata.ownerReferences).toBeUndefined();
    // A plan that changes nothing replaces nothing.
    await lab.edit('plain', { planExecution: { planName: 'grow', uid: 'again' } }, 'grow');
    expect(lab.find('statefulsets', 'plain')?.metadata.uid).toBe(after?.metadata.uid);
  });

  it('deletes the old StatefulSet without its pods, and no other one', async () => {
    const [call, ...others] = lab.writes('statefulsets', 'plain', 'DELETE');
    expect(others).toEqual([]);
    expect(call?.body).toMatchObject({
      propagationPolicy: 'Orphan',
      preconditions: { uid: expect.any(String), resourceVersion: expect.any(String) },
    });
  });

  it('keeps what others have set on the StatefulSet', async () => {
    await lab.deploy('kept', database('kept'));
    const restartedAt = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };
    await lab.patch('statefulsets', 'kept', {
      metadata: { labels: { team: 'a' } },
      spec: {
        template: { metadata: { annotations: restartedAt } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      },
    });
    await engine.pass(60_000);
    const pod = uids('kept');
    const claim = lab.find('persistentvolumeclaims', 'data-kept-0')?.metadata;
    expect(claim?.ownerReferences).toMatchObject([{ kind: 'StatefulSet' }]);
    await grow('kept', '2Gi');
    const set = lab.find('statefulsets', 'kept')?.metadata;
    expect(set?.labels).toMatchObject({ team: 'a' });
    expect(lab.find('persistentvolumeclaims', 'data-kept-0')?.metadata).toMatchObject({
      uid: claim?.uid,
      ownerReferences: [{ kind: 'StatefulSet', uid: set?.uid }],
    });
    expect(uids('kept')).toEqual(pod);
  });

  it('is not disturbed by self-heal while the StatefulSet does not exist', async () => {
    await lab.deploy('healed', database('healed'));
    await lab.patch('instances', 'healed', { metadata: { annotations: { 'bravo.kudo.dev/self-heal': 'on' } } });
    await engine.pass(60_000);
    const pod = uids('healed');
    engine.refuse(({ method, path }) => (method === 'POST' && path.endsWith('/statefulsets') ? 500 : undefined));
    await lab.patch('instances', 'healed', { spec: { parameters: { SIZE: '2Gi' } } });
    await engine.until('it was deleted', () => lab.writes('statefulsets', 'healed', 'DELETE').length > 0);
    await engine.pass(60_000);
    expect(lab.find('statefulsets', 'healed')).toBeUndefined();
    engine.refuse(undefined);
    await lab.ends('healed', 'grow');
    await engine.pass(60_000);
    expect(uids('healed')).toEqual(pod);
    expect(sizes('healed', ['data-0', 'data-1'])).toEqual(['2Gi 2Gi', '2Gi 2Gi']);
    expect(lab.writes('statefulsets', 'healed', 'DELETE')).toHaveLength(1);
    expect(lab.reasons('healed')).not.toContain('Repaired');
  });

  it('is there for pods that come later, also for a volume that a removed pod has left', async () => {
    await lab.deploy('back', database('back'));
    await lab.edit('back', { parameters: { MEMBERS: '1' } }, 'deploy');
    await engine.pass(60_000);
    await grow('back', '2Gi', { MEMBERS: '1' });
    expect(sizes('back', ['data-0', 'data-1'])).toEqual(['2Gi 2Gi', '1Gi 1Gi']);
    await lab.edit('back', { parameters: { SIZE: '2Gi', MEMBERS: '3' } }, 'deploy');
    expect(sizes('back', ['data-0', 'data-1', 'data-2'])).toEqual(['2Gi 2Gi', '2Gi 2Gi', '2Gi 2Gi']);
  });

  it('leaves a volume alone that a person has made larger', async () => {
    await lab.deploy('large', database('large'));
    const spec = { resources: { requests: { storage: '8Gi' } } };
    await lab.patch('persistentvolumeclaims', 'data-large-1', { spec });
    await grow('large', '2Gi');
    expect(sizes('large', ['data-0', 'data-1'])).toEqual(['2Gi 2Gi', '8Gi 8Gi']);
  });
});

describe('a volume that grows slowly', () => {
  /** A database whose volumes are of a driver that does nothing by itself. */
  const slow = async (name: string) => {
    const driver = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name }, provisioner: 'slow' };
    const classes = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
    await engine.run(engine.people.create(classes, { ...driver, allowVolumeExpansion: true }));
    for (const volume of ['data-0', 'data-1', 'log-0', 'log-1']) {
      const spec = {
        ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: name },
        hostPath: { path: '/x' },
      };
      const volumes = { group: '', version: 'v1', resource: 'persistentvolumes' };
      const object = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `${name}-${volume}` }, spec };
      await engine.run(engine.people.create(volumes, object));
    }
    await lab.deploy(name, database(name), { CLASS: name });
    await lab.patch('instances', name, { spec: { parameters: { SIZE: '2Gi', CLASS: name } } });
    await engine.until('the StatefulSet is replaced', () => lab.writes('statefulsets', name, 'DELETE').length > 0);
    await engine.pass(20_000);
  };
  const status = (claim: string, storage: string, conditions: JsonObject[] = []) =>
    lab.patch('persistentvolumeclaims', claim, { status: { capacity: { storage }, conditions } }, 'status');
  const message = (name: string) => lab.stepNow(name, 'grow.main.run')?.message ?? '';

  it('is waited for, and what its driver says is repeated', async () => {
    await slow('driver');
    expect(message('driver')).toContain('PersistentVolumeClaim data-driver-0: grows from 1Gi to 2Gi');
    const claim = lab.find('persistentvolumeclaims', 'data-driver-1');
    await lab.put('events', {
      ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'failed', namespace: 'growth' } },
      ...{ type: 'Warning', reason: 'VolumeResizeFailed', message: 'the pool is full' },
      involvedObject: {
        kind: 'PersistentVolumeClaim',
        namespace: 'growth',
        name: 'data-driver-1',
        uid: claim?.metadata.uid ?? '',
      },
    });
    await status('data-driver-0', '2Gi');
    await engine.pass(70_000);
    expect(message('driver')).toBe('PersistentVolumeClaim data-driver-1: grows from 1Gi to 2Gi; the pool is full');
    await status('data-driver-1', '2Gi');
    await lab.ends('driver', 'grow');
    expect(lab.reasons('driver')).not.toContain('ActionRequired');
  });

  it('does not keep the plan from its end when its file system grows only at a restart; an event says so', async () => {
    await slow('mount');
    const pending = {
      ...{ type: 'FileSystemResizePending', status: 'True' },
      lastTransitionTime: formatTime(engine.clock.now()),
    };
    await status('data-mount-0', '2Gi');
    await status('data-mount-1', '1Gi', [pending]);
    await engine.pass(70_000);
    expect(message('mount')).toContain('some drivers grow it only when pod mount-1 restarts');
    await lab.ends('mount', 'grow');
    const told = lab.events('mount').filter(({ reason }) => reason === 'ActionRequired');
    expect(told.map((event) => `${event.type} ${event.message}`)).toEqual([
      'Warning The volume of PersistentVolumeClaim data-mount-1 has grown to 2Gi, but its file system still has 1Gi: its driver grows it when a pod mounts the volume. Delete pod mount-1, which starts again at once, to use the new size.',
    ]);
  });

  it('does not keep a later plan from its end', async () => {
    await slow('later');
    await engine.until('the plan is stalled', () => hasCondition(lab.instance('later'), 'Stalled'));
    await lab.edit('later', { planExecution: { planName: 'deploy', uid: 'd' } }, 'deploy');
  });
});

describe('a size that a StatefulSet cannot get', () => {
  const refused = async (name: string, parameters: { [name: string]: string }) => {
    const before = lab.find('statefulsets', name);
    await lab.edit(name, { parameters }, 'grow', { status: 'FATAL_ERROR' });
    expect(lab.find('statefulsets', name)?.metadata.uid).toBe(before?.metadata.uid);
    return lab.events(name).flatMap((event) => (event.type === 'Warning' ? [String(event.message)] : []));
  };

  it('is a smaller one: it is refused in words, and nothing changes', async () => {
    await lab.deploy('less', database('less'), { SIZE: '2Gi' });
    const [message] = await refused('less', { SIZE: '1Gi' });
    expect(message).toContain('volume data cannot shrink from 2Gi to 1Gi. Kubernetes only grows volumes.');
    expect(lab.reasons('less')).toContain('VolumesCannotShrink');
    await lab.edit('less', { parameters: { SIZE: '2Gi' } }, 'grow');
  });

  it('is any larger one when a class does not allow it: no claim changes, also not one of another class', async () => {
    await lab.deploy('fixed', database('fixed'), { CLASS: 'fixed' });
    const [message] = await refused('fixed', { SIZE: '2Gi', CLASS: 'fixed' });
    expect(message).toContain('PersistentVolumeClaim data-fixed-0 cannot grow from 1Gi to 2Gi: StorageClass fixed');
    expect(message).toContain('set allowVolumeExpansion: true on StorageClass fixed and run the plan again');
    expect(sizes('fixed', ['data-0', 'data-1'])).toEqual(['1Gi 1Gi', '1Gi 1Gi']);
    await engine.run(
      engine.people.patch(
        { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses', name: 'fixed' },
        'merge',
        { allowVolumeExpansion: true },
      ),
    );
    await lab.edit('fixed', { planExecution: { planName: 'grow', uid: 'allowed' } }, 'grow');
    expect(sizes('fixed', ['data-0', 'data-1'])).toEqual(['2Gi 2Gi', '2Gi 2Gi']);
  });

  it('is one beside another change that Kubernetes does not make', async () => {
    await lab.deploy('other', database('other'));
    await lab.patch('instances', 'other', { spec: { parameters: { SIZE: '2Gi', CLASS: 'fixed' } } });
    await lab.step('other', 'grow.main.run', 'ERROR');
    expect(lab.stepNow('other', 'grow.main.run')?.message).toContain('StatefulSet other: spec is immutable');
    expect(sizes('other', ['data-0'])).toEqual(['1Gi 1Gi']);
  });

  it('is one beside a mistake: nothing is deleted', async () => {
    await lab.deploy('wrong', database('wrong'));
    await lab.patch('instances', 'wrong', { spec: { parameters: { SIZE: '2Gi', MEMBERS: '-1' } } });
    await lab.step('wrong', 'grow.main.run', 'ERROR');
    expect(lab.writes('statefulsets', 'wrong', 'DELETE')).toEqual([]);
    expect(sizes('wrong', ['data-0'])).toEqual(['1Gi 1Gi']);
  });

  it('is one without the annotation: the templates are immutable as before', async () => {
    await lab.deploy('without', database('without', 'other: x'));
    await lab.patch('instances', 'without', { spec: { parameters: { SIZE: '2Gi' } } });
    await lab.step('without', 'grow.main.run', 'ERROR');
    expect(sizes('without', ['data-0'])).toEqual(['1Gi 1Gi']);
  });
});
