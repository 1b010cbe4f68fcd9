import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { CLEANUP_FINALIZER } from '@/lib/kudo/names';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { complete, instanceStatusWith, NEW, OLD, operator, PLANS, planStatus, type TwoSteps } from './kudo-status';

describe('an Instance as KUDO left it', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'taken');
  });
  afterEach(() => engine?.stop());

  /** Puts the Instance there, with its status, before Bravo comes. */
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

  it.each(PLANS.filter((name) => name !== 'cleanup'))('goes on with %s behind the step that is done', async (name) => {
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
    ['was accepted and not looked at yet', { status: 'NEVER_RUN' }],
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

  it('goes on with a plan that runs without a uid, and gives it one', async () => {
    const running = planStatus('deploy', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS']);
    await leave(
      { planExecution: { planName: 'deploy', status: 'IN_PROGRESS' } },
      instanceStatusWith({ deploy: running }),
    );
    await takeOver();
    const after = await lab.ends('app', 'deploy');
    expect([after.status?.planStatus?.deploy?.uid === undefined, made()]).toEqual([false, ['deploy-two']]);
  });

  it('rests when KUDO had emptied the execution and not told the status yet, and the next plan tells it', async () => {
    const untold = planStatus('deploy', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS'], { uid: OLD });
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: untold }));
    await takeOver();
    expect([lab.ready('app')?.reason, made()]).toEqual(['ResourcesReady', []]);
    const after = await lab.edit('app', { parameters: { SIZE: '2' } }, 'update');
    expect([after.status?.planStatus?.deploy?.status, made()]).toEqual(['FATAL_ERROR', ['update-one', 'update-two']]);
  });

  it('starts the deploy of an Instance that KUDO admitted and never saw', async () => {
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

  it('clears an execution that has ended while no webhook was there to do it', async () => {
    await leave(
      { planExecution: { planName: 'deploy', uid: OLD, status: 'COMPLETE' } },
      instanceStatusWith({ deploy: complete('deploy', OLD) }),
    );
    await takeOver();
    expect([lab.instance('app').spec?.planExecution, made()]).toEqual([{}, []]);
  });

  it('leaves a fatal error until somebody starts the plan again, under the uid of that', async () => {
    const failed = planStatus('deploy', 'FATAL_ERROR', ['FATAL_ERROR', 'PENDING'], { uid: OLD });
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: failed }));
    await takeOver();
    expect([lab.instance('app').status?.planStatus?.deploy?.status, made()]).toEqual(['FATAL_ERROR', []]);
    await lab.patch('instances', 'app', { spec: { planExecution: { planName: 'deploy', uid: NEW } } });
    const after = await lab.ends('app', 'deploy', { not: OLD });
    expect([after.status?.planStatus?.deploy?.uid, made()]).toEqual([NEW, ['deploy-one', 'deploy-two']]);
  });

  it('keeps the status of plans that the version does not have', async () => {
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

  it('cleans up instead of going on, when it was being deleted in the middle of a plan', async () => {
    const running = planStatus('deploy', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS'], { uid: OLD });
    await leave(
      { planExecution: { planName: 'deploy', uid: OLD, status: 'IN_PROGRESS' } },
      instanceStatusWith({ deploy: running }),
      { finalizers: [CLEANUP_FINALIZER] },
    );
    await lab.remove('instances', 'app');
    await takeOver();
    await engine.until('it is gone', () => lab.find('instances', 'app') === undefined);
    const begun = lab.writes('configmaps', 'app-cleanup-two', 'POST');
    expect([begun.length, lab.writes('configmaps', 'app-deploy-two')]).toEqual([1, []]);
  });

  it('goes on with a cleanup under its uid, and begins none anew', async () => {
    const cleanup = planStatus('cleanup', 'IN_PROGRESS', ['COMPLETE', 'IN_PROGRESS'], { uid: NEW });
    await leave(
      { planExecution: { planName: 'cleanup', uid: NEW, status: 'IN_PROGRESS' } },
      instanceStatusWith({ deploy: complete('deploy', OLD), cleanup }),
      { finalizers: [CLEANUP_FINALIZER] },
    );
    await lab.remove('instances', 'app');
    await takeOver();
    await engine.until('it is gone', () => lab.find('instances', 'app') === undefined);
    expect(lab.writes('configmaps', 'app-cleanup-one')).toEqual([]);
  });

  it.each<[string, JsonObject, boolean]>([
    ['lets it go when the cleanup was complete', complete('cleanup', NEW), true],
    [
      'holds it when the cleanup failed',
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

  it('lets a deleted Instance go whose version has no cleanup any more', async () => {
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

  it('cleans up after an Instance that KUDO upgraded to a version with a cleanup plan', async () => {
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: complete('deploy', OLD) }));
    await takeOver();
    expect(lab.instance('app').metadata.finalizers).toEqual([CLEANUP_FINALIZER]);
    await lab.remove('instances', 'app');
    await engine.until('it is gone', () => lab.find('instances', 'app') === undefined);
    expect(lab.writes('configmaps', 'app-cleanup-two', 'POST')).toHaveLength(1);
  });

  it('says and does what an edit means after it was taken over at rest', async () => {
    await leave({ planExecution: {} }, instanceStatusWith({ deploy: complete('deploy', OLD) }));
    await takeOver();
    await lab.edit('app', { parameters: { FILE: 'b' } }, 'backup');
    await lab.edit('app', { parameters: { SIZE: '2' } }, 'update');
    expect(made()).toEqual(['backup-one', 'backup-two', 'update-one', 'update-two']);
  });
});
