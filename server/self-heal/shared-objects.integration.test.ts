import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { inventoryOf } from '@/lib/kudo/inventory/inventory';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { driftReport } from '@/server/instances/drift-report';
import { pruneObjects } from '@/server/instances/prune-objects';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { plan } from '@/test/operators/templates';

const role = (name: string) => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterroles',
  name,
});

const operator: OperatorVersionSpec = {
  templates: {
    'role.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: {{ .Params.ROLE }}\nrules:\n- apiGroups: [""]\n  resources: [pods]\n  verbs: ["{{ .Params.VERB }}"]\n',
    'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-config\ndata: {a: b}\n',
  },
  tasks: [
    { name: 'all', kind: 'Apply', spec: { resources: ['role.yaml', 'config.yaml'] } },
    { name: 'clear', kind: 'Delete', spec: { resources: ['role.yaml'] } },
  ],
  parameters: [
    { name: 'ROLE', default: 'shared' },
    { name: 'VERB', default: 'get' },
  ],
  plans: { deploy: plan(['one', 'all']), clear: plan(['one', 'clear']) },
};

describe('self-heal of cluster-scoped objects', () => {
  let engine: Engine;
  const versions = new Map<string, string>();
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 0 });
    for (const namespace of ['first', 'second']) {
      await createNamespace(engine.api, namespace);
      versions.set(namespace, await createOperator(engine.api, namespace, 'keeper', operator));
    }
  });
  afterAll(() => engine?.stop());

  async function installed(namespace: string, name: string, parameters: { [name: string]: string }, selfHeal = 'on') {
    await createInstance(engine.api, namespace, name, { version: versions.get(namespace) ?? '', parameters });
    const metadata = { annotations: { [SELF_HEAL_ANNOTATION]: selfHeal } };
    await engine.api.patch({ ...INSTANCES, namespace, name }, 'merge', { metadata });
    await planEnds(engine.api, namespace, name, { plan: 'deploy' });
  }
  const verbsOf = (object: KubeObject | undefined) => arrayAt(arrayAt(object, 'rules')[0], 'verbs');
  const hasVerb = (name: string, verb: string) =>
    eventually(`${name} allows ${verb}`, async () => verbsOf(await engine.api.get(role(name))).includes(verb));
  const setVerbs = (name: string, verbs: string[]) =>
    engine.api.patch(role(name), 'merge', { rules: [{ apiGroups: [''], resources: ['pods'], verbs }] });

  it('makes one again that vanished, and puts back what a person changed in it', async () => {
    await installed('first', 'alone', { ROLE: 'alone' });
    await engine.api.delete(role('alone'));
    await hasVerb('alone', 'get');
    await installed('first', 'changed', { ROLE: 'changed' });
    await setVerbs('changed', ['list']);
    await hasVerb('changed', 'get');
    expect((await engine.api.get(role('alone')))?.metadata.ownerReferences).toBeUndefined();
  });

  it('finds one that vanished while no controller ran', async () => {
    await installed('first', 'away', { ROLE: 'away' });
    await engine.stopController();
    await engine.api.delete(role('away'));
    await engine.restartController();
    await hasVerb('away', 'get');
  });

  it('leaves one to the Instance that applied it last, of whatever namespace and with the same name', async () => {
    await installed('first', 'twin', { ROLE: 'twins', VERB: 'get' });
    await installed('second', 'twin', { ROLE: 'twins', VERB: 'watch' });
    await setVerbs('twins', ['delete']);
    await hasVerb('twins', 'watch');
    await installed('first', 'witness', { ROLE: 'witness' });
    await engine.api.delete(role('witness'));
    await hasVerb('witness', 'get');
    expect(verbsOf(await engine.api.get(role('twins')))).toEqual(['watch']);
    expect((await driftReport(engine.api, { namespace: 'first', name: 'twin' })).drifted).toEqual([]);
  });

  it('does not bring back one that a plan deleted', async () => {
    await installed('first', 'cleared', { ROLE: 'cleared' });
    await patchInstance(engine.api, 'first', 'cleared', { planExecution: { planName: 'clear' } });
    await planEnds(engine.api, 'first', 'cleared', { plan: 'clear' });
    const inventory = inventoryOf((await getInstance(engine.api, 'first', 'cleared')) ?? { metadata: {} });
    expect(inventory?.runs.flatMap((run) => run.objects.map(({ kind }) => kind))).toEqual(['ConfigMap']);
    expect(await engine.api.get(role('cleared'))).toBeUndefined();
  });

  it('is shown in the report where it is off, and nothing is written', async () => {
    await installed('first', 'shown', { ROLE: 'shown' }, 'off');
    await setVerbs('shown', ['list']);
    const report = await driftReport(engine.api, { namespace: 'first', name: 'shown' });
    expect(report.drifted).toEqual([
      expect.objectContaining({ kind: 'ClusterRole', name: 'shown', state: 'changed', plan: 'deploy' }),
    ]);
    expect(report.leftovers).toEqual([]);
    await engine.api.delete(role('shown'));
    expect((await driftReport(engine.api, { namespace: 'first', name: 'shown' })).drifted).toEqual([
      expect.objectContaining({ kind: 'ClusterRole', name: 'shown', state: 'missing' }),
    ]);
  });

  const leftoversOf = async (namespace: string, name: string) =>
    (await driftReport(engine.api, { namespace, name })).leftovers;
  /** Gives another role to an Instance: the one that it had is rendered no more. */
  async function moved(namespace: string, name: string, to: string) {
    const before = (await getInstance(engine.api, namespace, name))?.status?.planStatus?.deploy?.uid;
    await patchInstance(engine.api, namespace, name, { parameters: { ROLE: to } });
    await planEnds(engine.api, namespace, name, { plan: 'deploy', notUid: before });
  }

  it('is left over when no template renders it any more, and goes only on an explicit word', async () => {
    await installed('first', 'mover', { ROLE: 'mover-old' }, 'off');
    await moved('first', 'mover', 'mover-new');
    const leftovers = await leftoversOf('first', 'mover');
    expect(leftovers).toEqual([
      expect.objectContaining({ kind: 'ClusterRole', name: 'mover-old', isShared: true, isClaim: false }),
    ]);
    const key = { namespace: 'first', name: 'mover' };
    const uids = leftovers.map(({ uid }) => uid);
    await expect(pruneObjects(engine.api, key, { uids, claims: true, shared: false })).rejects.toThrow(
      'ClusterRole mover-old is in no namespace',
    );
    const { done } = await pruneObjects(engine.api, key, { uids, claims: false, shared: true });
    expect(done.map(({ name }) => name)).toEqual(['mover-old']);
    expect(await engine.api.get(role('mover-old'))).toBeUndefined();
    expect(await leftoversOf('first', 'mover')).toEqual([]);
    expect(await engine.api.get(role('mover-new'))).toBeDefined();
  });

  it('is not left over while another Instance has it, or somebody wrote it since', async () => {
    await installed('first', 'pair', { ROLE: 'paired' }, 'off');
    await installed('second', 'pair', { ROLE: 'paired' }, 'off');
    await moved('second', 'pair', 'paired-too');
    expect(await leftoversOf('second', 'pair')).toEqual([]);
    await moved('first', 'pair', 'paired-three');
    expect(await leftoversOf('second', 'pair')).toEqual([]);
    expect((await leftoversOf('first', 'pair')).map(({ name }) => name)).toEqual(['paired']);
    await installed('second', 'pair-again', { ROLE: 'paired' }, 'off');
    expect(await leftoversOf('first', 'pair')).toEqual([]);
  });
});
