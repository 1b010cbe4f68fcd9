import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { saying, WIPE, wiping } from '@/test/operators/destructive-operator';
import { plan, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'confirm');
});
afterAll(() => engine?.stop());

/** An Instance of an operator of the same name, whose plan `wipe` is destructive. */
async function deployed(name: string): Promise<void> {
  const version = await lab.operator(name, wiping());
  await lab.patch('operatorversions', version, { metadata: { annotations: saying({ wipe: WIPE }) } });
  await lab.create(name, version);
  await lab.ends(name, 'deploy');
}

const confirmed = (name: string) => ({ metadata: { annotations: { [CONFIRM_ANNOTATION]: `wipe/${name}` } } });
const wiped = (name: string) => lab.find('configmaps', `${name}-wiped`)?.data;
const annotation = (name: string) => lab.instance(name).metadata.annotations?.[CONFIRM_ANNOTATION];
const refusals = (name: string) => lab.events(name).filter(({ reason }) => reason === 'ChangeRefused');
const trigger = (uid: string) => ({ spec: { planExecution: { planName: 'wipe', uid } } });

describe('a destructive plan where no webhook is registered', () => {
  it('is not started by planExecution without a confirmation, and nothing is touched', async () => {
    await deployed('trigger');
    await lab.patch('instances', 'trigger', trigger('t1'));
    await engine.until('it is refused', () => refusals('trigger').length > 0);
    expect(refusals('trigger')[0]?.message).toContain('annotate --overwrite -n confirm instances.kudo.dev trigger');
    expect(lab.instance('trigger').spec?.planExecution?.planName ?? '').toBe('');
    expect(lab.instance('trigger').status?.planStatus?.wipe?.status).toBe('NEVER_RUN');
    expect(lab.ready('trigger')?.status).toBe('True');
    expect(wiped('trigger')).toBeUndefined();
  });

  it('runs once with a confirmation in the same write, and is refused the second time', async () => {
    await deployed('once');
    await lab.patch('instances', 'once', { ...confirmed('once'), ...trigger('o1') });
    await lab.ends('once', 'wipe');
    expect(wiped('once')).toMatchObject({ from: 'latest' });
    expect(annotation('once')).toBeUndefined();
    await lab.patch('instances', 'once', trigger('o2'));
    await engine.until('it is refused', () => refusals('once').length > 0);
    expect(lab.instance('once').status?.planStatus?.wipe?.uid).toBe('o1');
  });

  it('waits as an edit of a parameter until it is confirmed', async () => {
    await deployed('edit');
    await lab.patch('instances', 'edit', { spec: { parameters: { FROM: 'monday' } } });
    await engine.until('it is refused', () => lab.ready('edit')?.reason === 'ChangeRefused');
    expect(lab.ready('edit')?.message).toContain('plan "wipe" of Instance edit deletes or replaces data');
    expect(wiped('edit')).toBeUndefined();
    await lab.patch('instances', 'edit', confirmed('edit'));
    await lab.ends('edit', 'wipe');
    expect(wiped('edit')).toMatchObject({ from: 'monday' });
    expect(annotation('edit')).toBeUndefined();
  });

  it('runs with the parameters that it asks for, sent with its start', async () => {
    await deployed('asked');
    const spec = {
      parameters: { FROM: 'friday' },
      planExecution: { planName: 'wipe', uid: 'a1', status: 'NEVER_RUN' },
    };
    await lab.patch('instances', 'asked', { ...confirmed('asked'), spec });
    await lab.ends('asked', 'wipe');
    expect(wiped('asked')).toMatchObject({ from: 'friday' });
    expect(Object.keys(lab.instance('asked').status?.planStatus ?? {}).sort()).toEqual(['deploy', 'wipe']);
  });

  it('is not started by another version without a confirmation', async () => {
    await deployed('moved');
    const next = await lab.operator('moved', {
      ...wiping('2'),
      plans: { ...wiping().plans, upgrade: plan(['one', 'wipe']) },
    });
    await lab.patch('operatorversions', next, { metadata: { annotations: saying({ upgrade: WIPE }) } });
    await lab.patch('instances', 'moved', { spec: { operatorVersion: { name: next } } });
    await engine.until('it is refused', () => lab.ready('moved')?.reason === 'ChangeRefused');
    expect(wiped('moved')).toBeUndefined();
    await lab.patch('instances', 'moved', { metadata: { annotations: { [CONFIRM_ANNOTATION]: 'upgrade/moved' } } });
    await lab.ends('moved', 'upgrade');
    expect(wiped('moved')).toMatchObject({ by: '2' });
  });

  it('continues after errors and restarts of the controller without another confirmation', async () => {
    await deployed('retried');
    let refused = 0;
    engine.refuse(({ method, path }) =>
      method !== 'GET' && path.includes('/configmaps') && refused++ < 3 ? 503 : undefined,
    );
    await lab.patch('instances', 'retried', { ...confirmed('retried'), ...trigger('r1') });
    await engine.until('a write fails', () => refused > 0);
    expect(annotation('retried')).toBeUndefined();
    await engine.stopController();
    await engine.startController();
    await lab.ends('retried', 'wipe');
    engine.refuse(undefined);
    expect(wiped('retried')).toMatchObject({ from: 'latest' });
  });

  it('starts once when the controller dies before and after the write that uses the confirmation up', async () => {
    await deployed('killed');
    // Nothing that the controller writes to the Instance arrives.
    engine.refuse(({ method, path }) => (method !== 'GET' && path.includes('/instances/killed') ? 503 : undefined));
    await lab.patch('instances', 'killed', { ...confirmed('killed'), ...trigger('k1') });
    await engine.pass(10_000);
    await engine.stopController();
    expect(annotation('killed')).toBe('wipe/killed');
    expect(wiped('killed')).toBeUndefined();
    // The start arrives, and nothing after it.
    let writes = 0;
    engine.refuse(({ method, path }) =>
      method !== 'GET' && path.includes('/instances/killed') && writes++ > 0 ? 503 : undefined,
    );
    await engine.startController();
    await engine.until('the start arrives', () => annotation('killed') === undefined);
    expect(lab.instance('killed').spec?.planExecution).toMatchObject({ planName: 'wipe', uid: 'k1' });
    await engine.stopController();
    engine.refuse(undefined);
    await engine.startController();
    await lab.ends('killed', 'wipe');
    expect(lab.instance('killed').status?.planStatus?.wipe?.uid).toBe('k1');
    expect(wiped('killed')).toBeDefined();
  });

  it('is confirmed by the deletion of the Instance when it is its cleanup', async () => {
    const spec = { ...wiping(), plans: { ...wiping().plans, cleanup: plan(['drop', 'wipe']) } };
    const version = await lab.operator('deleted', spec);
    await lab.patch('operatorversions', version, { metadata: { annotations: saying({ cleanup: WIPE }) } });
    await lab.create('deleted', version);
    await lab.ends('deleted', 'deploy');
    await lab.remove('instances', 'deleted');
    await engine.until('it is deleted', () => lab.find('instances', 'deleted') === undefined);
    expect(lab.reasons('deleted')).toContain('PlanFinished');
  });
});

describe('a destructive plan of a child', () => {
  const parent = (kid: string) => ({
    templates: { 'kid.yaml': 'FROM: "{{ .Params.KID }}"\n' },
    tasks: [
      task('kid', 'KudoOperator', { package: kid, operatorVersion: '1', instanceName: kid, parameterFile: 'kid.yaml' }),
    ],
    parameters: [{ name: 'KID', default: 'latest', trigger: 'change' }],
    plans: { deploy: plan(['run', 'kid']), change: plan(['run', 'kid']) },
  });

  async function withKid(name: string, kid: string): Promise<string> {
    const version = await lab.operator(kid, wiping());
    await lab.patch('operatorversions', version, { metadata: { annotations: saying({ wipe: WIPE }) } });
    const parentVersion = await lab.operator(name, parent(kid));
    await lab.create(name, parentVersion);
    await lab.ends(name, 'deploy');
    return parentVersion;
  }

  it('runs when the plan of its parent is destructive and was confirmed', async () => {
    const version = await withKid('father', 'son');
    await lab.patch('operatorversions', version, { metadata: { annotations: saying({ change: WIPE }) } });
    const annotations = { [CONFIRM_ANNOTATION]: 'change/father' };
    await lab.patch('instances', 'father', { metadata: { annotations }, spec: { parameters: { KID: 'monday' } } });
    await lab.ends('father', 'change');
    expect(wiped('son')).toMatchObject({ from: 'monday' });
    expect(annotation('son')).toBeUndefined();
  });

  it('ends the plan of a parent that is not destructive, and the child is as it was', async () => {
    await withKid('mother', 'daughter');
    await lab.patch('instances', 'mother', { spec: { parameters: { KID: 'monday' } } });
    await lab.ends('mother', 'change', { status: 'FATAL_ERROR' });
    const step = lab.stepNow('mother', 'change.main.run');
    expect(step?.message).toContain(
      'plan "change" of Instance mother, which starts it, is not marked "destructive: true"',
    );
    expect(lab.instance('daughter').spec?.parameters).toEqual({ FROM: 'latest' });
    expect(wiped('daughter')).toBeUndefined();
  });
});

describe('a plan with preconditions where no webhook is registered', () => {
  const NEEDS = {
    preconditions: [
      { expression: "has(objects.key) && objects.key.data.open == 'yes'", message: 'Open the door first.' },
    ],
    objects: [{ name: 'key', apiVersion: 'v1', kind: 'ConfigMap', objectName: '{{ .Name }}-key' }],
  };

  it('starts when they hold, and is refused with their message before', async () => {
    const version = await lab.operator('door', wiping());
    await lab.patch('operatorversions', version, { metadata: { annotations: saying({ wipe: NEEDS }) } });
    await lab.create('door', version);
    await lab.ends('door', 'deploy');
    await lab.patch('instances', 'door', trigger('d1'));
    await engine.until('it is refused', () => refusals('door').length > 0);
    expect(refusals('door')[0]?.message).toBe(
      'failed to update Instance confirm/door: plan "wipe" cannot start. Open the door first',
    );
    const key = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'door-key' }, data: { open: 'yes' } };
    await lab.put('configmaps', key);
    await lab.patch('instances', 'door', trigger('d2'));
    await lab.ends('door', 'wipe');
    expect(wiped('door')).toBeDefined();
  });
});
