import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { CLEANUP_FINALIZER } from '@/lib/kudo/names';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { complete, instanceStatusWith, NEW, OLD, operator, PLANS, planStatus, type TwoSteps } from './kudo-status';

describe('an Instance that KUDO managed', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'taken');
  });
  afterEach(() => engine?.stop());

  /** Creates the Instance with its status before Bravo starts. */
  const leave = async (spec: JsonObject, status: JsonObject | undefined, metadata: JsonObject = {}, plans = PLANS) => {
    const name = await lab.operator('pond', operator(plans));
    await lab.put('instances', {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'app', namespace: 'taken', labels: { 'kudo.dev/operator': 'pond' }, ...metadata },
      spec: { operatorVersion: { name }, ...spec },
    } as KubeObject);
    if (status !== undefined) await lab.patch('instances', 'app', { status }, 'status');
  };
  const takeOver = async () => {
    await engine.startController();
    await engine.pass(5_000);
  };
  const made = () => {
    const maps = engine.sandbox.api.list({ group: '', version: 'v1', resource: 'configmaps', namespace: 'taken' });
    const names = maps.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
    return names.map((name) => name.replace(/^app-/, '')).sort();
  };

  it.each(PLANS.filter((name) => name !== 'cleanup'))('continues %s after the completed step', async (name) => {
    const running = planStatus(name, 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS'], { uid: NEW });
    const deployed = name === 'deploy' ? {} : { deploy: complete('deploy', OLD) };
    await leave(
      { planExecution: { planName: name, uid: NEW, status: 'IN_PROGRESS' } },
      instanceStatusWith({ ...deployed, [name]: running }),
    );
    await takeOver();
    const after = await lab.ends('app', name);
    expect([after.status?.planStatus?.[name]?.uid, made()]).toEqual([NEW, [`${name}-two`]]);
  });

  it.each<[string, TwoSteps]>([
    ['PENDING', ['PENDING', 'PENDING']],
    ['an ERROR', ['ERROR', 'PENDING']],
    ['steps that were never run', ['NEVER_RUN', 'NEVER_RUN']],
  ])('goes on with a plan of %s', async (_what, steps) => {
    const running = planStatus('deploy', 'IN_PROGRESS', steps, { uid: NEW, lastUpdatedTimestamp: null });
    await leave(
      { planExecution: { planName: 'deploy', uid: NEW, status: 'PENDING' } },
      instanceStatusWith({ deploy: running }),
    );
    await takeOver();
    const after = await lab.ends('app', 'deploy');
    expect(after.status?.planStatus?.deploy?.uid).toBe(NEW);
    expect(after.status?.planStatus?.deploy?.phases?.[0]?.steps).toEqual([
      { name: 'one', status: 'COMPLETE' },
      { name: 'two', status: 'COMPLETE' },
    ]);
    expect(made()).toEqual(['deploy-one', 'deploy-two']);
  });

  it.each<[string, JsonObject]>([
    ['was accepted and not observed yet', { status: 'NEVER_RUN' }],
    ['was begun, and its status not written', { status: 'IN_PROGRESS' }],
    ['is PENDING in the spec alone', { status: 'PENDING' }],
  ])('starts an update that %s, under its uid', async (_what, execution) => {
    const spec = { parameters: { SIZE: '3' }, planExecution: { planName: 'update', uid: NEW, ...execution } };
    await leave(spec, instanceStatusWith({ deploy: complete('deploy', OLD) }));
    await takeOver();
    const after = await lab.ends('app', 'update');
    expect(after.status?.planStatus?.update?.uid).toBe(NEW);
    expect(lab.find('configmaps', 'app-update-one')?.data).toEqual({ size: '3' });
    expect(made()).toEqual(['update-one', 'update-two']);
  });

  it.each<[string, JsonObject]>([
    ['accepted', { planExecution: { planName: 'upgrade', uid: NEW, status: 'NEVER_RUN' } }],
    ['asked for while no manager ran', { planExecution: { planName: 'backup', uid: NEW } }],
  ])('holds it for a cleanup that its version got later, when a plan was %s', async (_what, spec) => {
    await leave(spec, instanceStatusWith({ deploy: complete('deploy', OLD) }));
    await takeOver();
    expect(lab.instance('app').metadata.finalizers).toEqual([CLEANUP_FINALIZER]);
  });

  it('continues a plan without a uid, and gives it one', async () => {
    const running = planStatus('deploy', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS']);
    await leave(
      { planExecution: { planName: 'deploy', status: 'IN_PROGRESS' } },
      instanceStatusWith({ deploy: running }),
    );
    await takeOver();
    const after = await lab.ends('app', 'deploy');
    expect([after.status?.planStatus?.deploy?.uid === undefined, made()]).toEqual([false, ['deploy-two']]);
  });

  it('starts nothing when KUDO had emptied planExecution before it wrote the status, and the next plan writes it', async () => {
    const unannounced = planStatus('deploy', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS'], { uid: OLD });
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: unannounced }));
    await takeOver();
    expect([lab.ready('app')?.reason, made()]).toEqual(['ResourcesReady', []]);
    const after = await lab.edit('app', { parameters: { SIZE: '2' } }, 'update');
    expect([after.status?.planStatus?.deploy?.status, made()]).toEqual(['FATAL_ERROR', ['update-one', 'update-two']]);
  });

  it('starts the deploy plan of an Instance that KUDO admitted and never reconciled', async () => {
    await leave({ planExecution: { planName: 'deploy', uid: NEW } }, undefined, { finalizers: [CLEANUP_FINALIZER] });
    await takeOver();
    expect((await lab.ends('app', 'deploy')).status?.planStatus?.deploy?.uid).toBe(NEW);
  });

  it.each<[string, JsonObject]>([
    ['empty', {}],
    ['of empty texts', { planName: '', uid: '', status: '' }],
  ])('rests with an execution that is %s', async (_what, planExecution) => {
    await leave({ planExecution }, instanceStatusWith({ deploy: complete('deploy', OLD) }));
    const before = lab.instance('app').status?.planStatus;
    await takeOver();
    expect([lab.instance('app').status?.planStatus, made()]).toEqual([before, []]);
  });

  it('empties planExecution of a plan that ended while no webhook ran', async () => {
    await leave(
      { planExecution: { planName: 'deploy', uid: OLD, status: 'COMPLETE' } },
      instanceStatusWith({ deploy: complete('deploy', OLD) }),
    );
    await takeOver();
    expect([lab.instance('app').spec?.planExecution, made()]).toEqual([{}, []]);
  });

  it('keeps a fatal error until a user starts the plan again, under the new uid', async () => {
    const failed = planStatus('deploy', 'FATAL_ERROR', ['FATAL_ERROR', 'PENDING'], { uid: OLD });
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: failed }));
    await takeOver();
    expect([lab.instance('app').status?.planStatus?.deploy?.status, made()]).toEqual(['FATAL_ERROR', []]);
    await lab.patch('instances', 'app', { spec: { planExecution: { planName: 'deploy', uid: NEW } } });
    const after = await lab.ends('app', 'deploy', { not: OLD });
    expect([after.status?.planStatus?.deploy?.uid, made()]).toEqual([NEW, ['deploy-one', 'deploy-two']]);
  });

  it('keeps the status of plans that the OperatorVersion does not have', async () => {
    const running = planStatus('deploy', 'IN_PROGRESS', ['PENDING', 'PENDING'], { uid: NEW });
    const gone = { name: 'gone', status: 'COMPLETE', uid: OLD, phases: null };
    await leave(
      { planExecution: { planName: 'deploy', uid: NEW, status: 'IN_PROGRESS' } },
      { planStatus: { deploy: running, gone } },
    );
    await takeOver();
    const after = await lab.ends('app', 'deploy');
    expect(after.status?.planStatus?.gone).toMatchObject({ name: 'gone', status: 'COMPLETE', uid: OLD });
    expect(after.status?.planStatus?.backup?.status).toBe('NEVER_RUN');
  });

  it('runs cleanup instead of continuing when it was deleted during a plan', async () => {
    const running = planStatus('deploy', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS'], { uid: OLD });
    await leave(
      { planExecution: { planName: 'deploy', uid: OLD, status: 'IN_PROGRESS' } },
      instanceStatusWith({ deploy: running }),
      { finalizers: [CLEANUP_FINALIZER] },
    );
    await lab.remove('instances', 'app');
    await takeOver();
    await engine.until('the Instance is deleted', () => lab.find('instances', 'app') === undefined);
    const begun = lab.writes('configmaps', 'app-cleanup-two', 'POST');
    expect([begun.length, lab.writes('configmaps', 'app-deploy-two')]).toEqual([1, []]);
  });

  it('continues a cleanup under its uid, and starts no second one', async () => {
    const cleanup = planStatus('cleanup', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS'], { uid: NEW });
    await leave(
      { planExecution: { planName: 'cleanup', uid: NEW, status: 'IN_PROGRESS' } },
      instanceStatusWith({ deploy: complete('deploy', OLD), cleanup }),
      { finalizers: [CLEANUP_FINALIZER] },
    );
    await lab.remove('instances', 'app');
    await takeOver();
    await engine.until('the Instance is deleted', () => lab.find('instances', 'app') === undefined);
    expect(lab.writes('configmaps', 'app-cleanup-one')).toEqual([]);
  });

  it.each<[string, JsonObject, boolean]>([
    ['lets it go when the cleanup was complete', complete('cleanup', NEW), true],
    [
      'keeps the finalizer when the cleanup failed',
      planStatus('cleanup', 'FATAL_ERROR', ['FATAL_ERROR', 'PENDING'], { uid: NEW }),
      false,
    ],
  ])('%s', async (_what, cleanup, isGone) => {
    await leave(
      { planExecution: { planName: 'cleanup', uid: NEW, status: cleanup.status ?? '' } },
      instanceStatusWith({ cleanup }),
      { finalizers: [CLEANUP_FINALIZER] },
    );
    await lab.remove('instances', 'app');
    await takeOver();
    expect([lab.find('instances', 'app') === undefined, made()]).toEqual([isGone, []]);
  });

  it('removes the finalizer of a deleted Instance whose OperatorVersion has no cleanup plan any more', async () => {
    const plans = PLANS.filter((name) => name !== 'cleanup');
    await leave(
      { planExecution: {} },
      instanceStatusWith({ deploy: complete('deploy', OLD) }),
      { finalizers: [CLEANUP_FINALIZER] },
      plans,
    );
    await lab.remove('instances', 'app');
    await takeOver();
    expect(lab.find('instances', 'app')).toBeUndefined();
  });

  it('runs cleanup for an Instance that KUDO upgraded to an OperatorVersion with a cleanup plan', async () => {
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: complete('deploy', OLD) }));
    await takeOver();
    expect(lab.instance('app').metadata.finalizers).toEqual([CLEANUP_FINALIZER]);
    await lab.remove('instances', 'app');
    await engine.until('the Instance is deleted', () => lab.find('instances', 'app') === undefined);
    expect(lab.writes('configmaps', 'app-cleanup-two', 'POST')).toHaveLength(1);
  });

  it('decides about edits as usual after an idle Instance was taken over', async () => {
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: complete('deploy', OLD) }));
    await takeOver();
    await lab.edit('app', { parameters: { FILE: 'b' } }, 'backup');
    await lab.edit('app', { parameters: { SIZE: '2' } }, 'update');
    expect(made()).toEqual(['backup-one', 'backup-two', 'update-one', 'update-two']);
  });
});
