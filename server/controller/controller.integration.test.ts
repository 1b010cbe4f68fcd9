import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { runHistory } from '@/lib/kudo/plan/run-history';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { runsThatEnded } from '@/lib/kudo/runs/recorded-runs';
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
import { simpleOperator as simple } from '@/test/operators/simple-operator';
import { plan } from '@/test/operators/templates';

const NS = 'demo';

describe('the controller', () => {
  let engine: Engine;
  let version: string;
  const configOf = (name: string) =>
    engine.api.get({ group: '', version: 'v1', resource: 'configmaps', namespace: NS, name });
  /** In the order in which they were written; their names say nothing of it. */
  const eventsOf = async (name: string) => {
    const { items } = await engine.api.list({ group: '', version: 'v1', resource: 'events', namespace: NS });
    return items
      .filter((event) => (event.involvedObject as { name?: string }).name === name)
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
  };
  const deployed = async (name: string, parameters = {}) => {
    await createInstance(engine.api, NS, name, { version, parameters });
    return planEnds(engine.api, NS, name, { plan: 'deploy' });
  };
  /** The controller has reconciled it, and will again after a pause. */
  const looked = (name: string) =>
    eventually('a reconcile', async () => (engine.controller.requeueAfterMs(`${NS}/${name}`) ?? 0) > 0);

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, NS);
    version = await createOperator(engine.api, NS, 'simple', simple);
  });
  afterAll(() => engine?.stop());

  it('ADM-01 CTL-25 runs the deploy plan of a new Instance to its end and is idle then', async () => {
    const instance = await deployed('first');
    expect((await configOf('first-config'))?.data).toEqual({ value: 'one' });
    expect(instance.spec?.planExecution).toEqual({});
    expect(instance.status?.planStatus?.deploy?.phases?.[0]?.steps).toEqual([
      { name: 'config', status: 'COMPLETE' },
      { name: 'rest', status: 'COMPLETE' },
    ]);
    expect(instance.status?.conditions?.[0]).toMatchObject({ type: 'Ready', status: 'True', reason: 'ResourcesReady' });
    const last = { plan: 'deploy', status: 'COMPLETE', uid: instance.status?.planStatus?.deploy?.uid };
    expect(runHistory(instance)).toMatchObject([{ ...last, steps: [] }]);
    const planRuns = (await engine.api.list({ ...PLAN_RUNS, namespace: NS })).items as PlanRun[];
    const [run] = runsThatEnded(instance, planRuns);
    expect(run).toMatchObject(last);
    expect(run?.steps.map(({ step, seconds }) => [step, typeof seconds])).toEqual([
      ['config', 'number'],
      ['rest', 'number'],
    ]);
    const reasons = await eventually('both events', async () => {
      const events = await eventsOf('first');
      return events.length >= 2 && events.map((event) => event.reason);
    });
    expect(reasons).toEqual(['PlanStarted', 'PlanFinished']);
  });

  it('APL-10 APL-21 APL-26 marks and owns what it applies', async () => {
    const instance = await deployed('marks');
    const { metadata } = (await configOf('marks-config')) ?? {};
    expect(metadata?.labels).toEqual({
      heritage: 'kudo',
      'kudo.dev/operator': 'simple',
      'kudo.dev/instance': 'marks',
    });
    expect(metadata?.annotations).toMatchObject({
      'kudo.dev/plan': 'deploy',
      'kudo.dev/phase': 'main',
      'kudo.dev/step': 'config',
      'kudo.dev/last-plan-execution-uid': instance.status?.planStatus?.deploy?.uid,
    });
    expect(metadata?.ownerReferences).toMatchObject([
      { kind: 'Instance', name: 'marks', uid: instance.metadata.uid, controller: true, blockOwnerDeletion: true },
    ]);
    const record = JSON.parse(metadata?.annotations?.['kudo.dev/last-applied-configuration'] ?? '{}');
    expect(record.metadata.annotations).not.toHaveProperty('kudo.dev/last-applied-configuration');
  });

  it('ADM-20 runs the triggered plan after an edit, and writes only what changed', async () => {
    const before = await deployed('edited');
    const other = await configOf('edited-other');
    await patchInstance(engine.api, NS, 'edited', { parameters: { VALUE: 'two' } });
    const after = await planEnds(engine.api, NS, 'edited', {
      plan: 'deploy',
      notUid: before.status?.planStatus?.deploy?.uid,
    });
    expect((await configOf('edited-config'))?.data).toEqual({ value: 'two' });
    expect((await configOf('edited-other'))?.metadata.resourceVersion).toBe(other?.metadata.resourceVersion);
    expect(after.status?.conditions?.[0]?.reason).toBe('ResourcesReady');
  });

  it('ADM-10 runs a plan that a client asks for; where no webhook was asked, under the client’s uid', async () => {
    await deployed('asked');
    await patchInstance(engine.api, NS, 'asked', { planExecution: { planName: 'backup', uid: 'client-uid' } });
    const after = await planEnds(engine.api, NS, 'asked', { plan: 'backup' });
    expect(after.status?.planStatus?.backup?.uid).toBe('client-uid');
    expect(after.status?.planStatus?.deploy?.status).toBe('COMPLETE');
  });

  it('ADM-11 ADM-12 refuses a plan that does not exist and the cleanup plan, and says so', async () => {
    await deployed('refused');
    await patchInstance(engine.api, NS, 'refused', { planExecution: { planName: 'nothing' } });
    await eventually('the refusal', async () =>
      (await eventsOf('refused')).some(
        ({ reason, message }) => reason === 'ChangeRefused' && `${message}`.includes('nothing'),
      ),
    );
    expect((await getInstance(engine.api, NS, 'refused'))?.spec?.planExecution?.planName ?? '').toBe('');
  });

  it('ADM-35 does not act upon the change of an immutable parameter', async () => {
    await deployed('fixed');
    await patchInstance(engine.api, NS, 'fixed', { parameters: { FIXED: 'y' } });
    const refused = await eventually('the refusal', async () => {
      const instance = await getInstance(engine.api, NS, 'fixed');
      return instance?.status?.conditions?.[0]?.reason === 'ChangeRefused' ? instance : undefined;
    });
    expect(refused.status?.planStatus?.deploy?.status).toBe('COMPLETE');
    await patchInstance(engine.api, NS, 'fixed', { parameters: { FIXED: 'x' } });
    await eventually('ready again', async () => {
      const instance = await getInstance(engine.api, NS, 'fixed');
      return instance?.status?.conditions?.[0]?.reason === 'ResourcesReady';
    });
  });

  it('CTL-26 RDY-08 (differs, T-05) ends a plan with a fatal error, names it, and stays so until the next plan', async () => {
    await deployed('broken');
    await patchInstance(engine.api, NS, 'broken', { planExecution: { planName: 'breaks' } });
    const after = await planEnds(engine.api, NS, 'broken', { plan: 'breaks', status: 'FATAL_ERROR' });
    const [, two] = after.status?.planStatus?.breaks?.phases?.[0]?.steps ?? [];
    expect(two).toEqual({
      name: 'two',
      status: 'FATAL_ERROR',
      message: 'Error during execution: fatal error: demo/broken failed in breaks.main.two.fatal: dummy error',
    });
    expect(after.status?.conditions?.[0]).toMatchObject({ status: 'Unknown', reason: 'PlanInFatalError' });
    await eventually('the event', async () =>
      (await eventsOf('broken')).some(({ reason }) => reason === 'DummyTaskError'),
    );
    await patchInstance(engine.api, NS, 'broken', { planExecution: { planName: 'backup' } });
    await planEnds(engine.api, NS, 'broken', { plan: 'backup' });
  });

  it('TOG-06 removes and brings back what a parameter switches', async () => {
    await deployed('toggled');
    expect(await configOf('toggled-other')).toBeDefined();
    await patchInstance(engine.api, NS, 'toggled', { parameters: { ON: 'false' } });
    await eventually('it is gone', async () => (await configOf('toggled-other')) === undefined);
    await planEnds(engine.api, NS, 'toggled', { plan: 'deploy' });
    await patchInstance(engine.api, NS, 'toggled', { parameters: { ON: 'true' } });
    await eventually('it is back', async () => (await configOf('toggled-other')) !== undefined);
  });

  it('C31 renders chance once a run, also when it is started again in the middle', async () => {
    await deployed('dice');
    const before = await configOf('dice-chance');
    await patchInstance(engine.api, NS, 'dice', { planExecution: { planName: 'hangs' } });
    const during = await eventually('the new value', async () => {
      const config = await configOf('dice-chance');
      return JSON.stringify(config?.data) === JSON.stringify(before?.data) ? undefined : config;
    });
    await engine.restartController();
    await looked('dice');
    expect((await configOf('dice-chance'))?.metadata.resourceVersion).toBe(during?.metadata.resourceVersion);
    const instance = await getInstance(engine.api, NS, 'dice');
    expect(instance?.status?.planStatus?.hangs?.status).toBe('IN_PROGRESS');
  });

  it('C19 keeps an edit that does not fit the running plan until that plan is over', async () => {
    const before = await deployed('queued');
    await patchInstance(engine.api, NS, 'queued', { planExecution: { planName: 'hangs' } });
    await eventually('it hangs', async () => {
      const instance = await getInstance(engine.api, NS, 'queued');
      return instance?.status?.planStatus?.hangs?.status === 'IN_PROGRESS';
    });
    await patchInstance(engine.api, NS, 'queued', { parameters: { VALUE: 'later' } });
    await patchInstance(engine.api, NS, 'queued', { planExecution: { status: 'COMPLETE' } });
    await planEnds(engine.api, NS, 'queued', { plan: 'deploy', notUid: before.status?.planStatus?.deploy?.uid });
    expect((await configOf('queued-config'))?.data).toEqual({ value: 'later' });
  });

  it('sees edits that were made while no controller ran (T-39)', async () => {
    const before = await deployed('away');
    await engine.stopController();
    await patchInstance(engine.api, NS, 'away', { parameters: { VALUE: 'unseen' } });
    await engine.restartController();
    await planEnds(engine.api, NS, 'away', { plan: 'deploy', notUid: before.status?.planStatus?.deploy?.uid });
    expect((await configOf('away-config'))?.data).toEqual({ value: 'unseen' });
  });

  it('runs a plan that was asked for, then the plan of an edit, when both came while no controller ran', async () => {
    const before = await deployed('both');
    await engine.stopController();
    await patchInstance(engine.api, NS, 'both', {
      planExecution: { planName: 'backup', uid: 'mine', status: 'NEVER_RUN' },
    });
    await patchInstance(engine.api, NS, 'both', { parameters: { VALUE: 'beside' } });
    await engine.restartController();
    const after = await planEnds(engine.api, NS, 'both', {
      plan: 'deploy',
      notUid: before.status?.planStatus?.deploy?.uid,
    });
    expect(after.status?.planStatus?.backup).toMatchObject({ uid: 'mine', status: 'COMPLETE' });
    expect((await configOf('both-config'))?.data).toEqual({ value: 'beside' });
  });

  it('CTL-02 waits for an OperatorVersion that does not exist yet', async () => {
    await createInstance(engine.api, NS, 'early', 'late-0.1.0');
    await eventually('it says what it waits for', async () => {
      const instance = await getInstance(engine.api, NS, 'early');
      return instance?.status?.conditions?.[0]?.reason === 'InvalidOperatorVersion';
    });
    await createOperator(engine.api, NS, 'late', { ...simple, plans: { deploy: plan(['one', 'done']) } });
    await planEnds(engine.api, NS, 'early', { plan: 'deploy' });
  });

  it('CTL-05 CTL-08 runs the cleanup plan of a deleted Instance, then lets it go', async () => {
    const cleaning = await createOperator(engine.api, NS, 'cleaning', {
      ...simple,
      plans: { deploy: plan(['one', 'config']), cleanup: plan(['one', 'remove']) },
    });
    await createInstance(engine.api, NS, 'leaving', cleaning);
    const instance = await planEnds(engine.api, NS, 'leaving', { plan: 'deploy' });
    expect(instance.metadata.finalizers).toEqual(['kudo.dev.instance.cleanup']);
    await engine.api.delete({ ...INSTANCES, namespace: NS, name: 'leaving' });
    await eventually('it is gone', async () => (await getInstance(engine.api, NS, 'leaving')) === undefined);
    expect(await configOf('leaving-config')).toBeUndefined();
  });

  it('ADM-39 CTL-12 (differs, T-04) upgrades with the version’s plan and follows its cleanup plan', async () => {
    await createOperator(engine.api, NS, 'moving', {
      ...simple,
      version: '1.0.0',
      plans: { deploy: plan(['one', 'config']), cleanup: plan(['one', 'remove']) },
    });
    await createOperator(engine.api, NS, 'moving', {
      ...simple,
      version: '2.0.0',
      plans: { deploy: plan(['one', 'config']), update: plan(['one', 'other']) },
    });
    await createInstance(engine.api, NS, 'mover', 'moving-1.0.0');
    await planEnds(engine.api, NS, 'mover', { plan: 'deploy' });
    await patchInstance(engine.api, NS, 'mover', { operatorVersion: { name: 'moving-2.0.0' } });
    const after = await planEnds(engine.api, NS, 'mover', { plan: 'update' });
    expect(after.metadata.finalizers ?? []).toEqual([]);
    expect(await configOf('mover-other')).toBeDefined();
  });

  it('KOP-02 KOP-11 runs a child operator, and its trigger when the parent changes its parameter', async () => {
    await createOperator(engine.api, NS, 'child', { ...simple, version: '0.1.0' });
    const parent = await createOperator(engine.api, NS, 'parent', {
      templates: { 'child.yaml': 'VALUE: {{ .Params.FOR_CHILD }}\n' },
      tasks: [
        {
          name: 'child',
          kind: 'KudoOperator',
          spec: { package: 'child', operatorVersion: '0.1.0', parameterFile: 'child.yaml' },
        },
      ],
      parameters: [{ name: 'FOR_CHILD', default: 'c1' }],
      plans: { deploy: plan(['child', 'child']) },
    });
    await createInstance(engine.api, NS, 'family', parent);
    const first = await planEnds(engine.api, NS, 'family', { plan: 'deploy' });
    const child = await getInstance(engine.api, NS, 'family-child');
    expect(child?.status?.planStatus?.deploy?.status).toBe('COMPLETE');
    expect(child?.metadata.labels).toEqual({ 'kudo.dev/operator': 'child' });
    await patchInstance(engine.api, NS, 'family', { parameters: { FOR_CHILD: 'c2' } });
    await planEnds(engine.api, NS, 'family', { plan: 'deploy', notUid: first.status?.planStatus?.deploy?.uid });
    expect((await configOf('family-child-config'))?.data).toEqual({ value: 'c2' });
  });

  it('C11 goes on without its OperatorVersion once it has begun to wait', async () => {
    const own = await createOperator(engine.api, NS, 'vanishing', simple);
    await createInstance(engine.api, NS, 'alone', own);
    await planEnds(engine.api, NS, 'alone', { plan: 'deploy' });
    await patchInstance(engine.api, NS, 'alone', { planExecution: { planName: 'hangs' } });
    await eventually('it hangs', async () => {
      const instance = await getInstance(engine.api, NS, 'alone');
      return instance?.status?.planStatus?.hangs?.status === 'IN_PROGRESS';
    });
    await looked('alone');
    await engine.api.delete({ ...OPERATOR_VERSIONS, namespace: NS, name: own });
    await engine.restartController();
    await looked('alone');
    const instance = await getInstance(engine.api, NS, 'alone');
    expect(instance?.status?.planStatus?.hangs?.status).toBe('IN_PROGRESS');
    expect(instance?.spec?.planExecution?.planName).toBe('hangs');
  });
});
