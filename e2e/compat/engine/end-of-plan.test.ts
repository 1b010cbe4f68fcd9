import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inventoryOf } from '@/lib/kudo/upkeep/inventory';
import { type EngineWorld, startWorld } from './engine-fixture';
import { Lab } from './lab';
import { apply, configMap, deployment, oneStep, plan, task } from './templates';

let world: EngineWorld;
let lab: Lab;

beforeAll(async () => {
  world = await startWorld();
  await world.startController();
  lab = await Lab.open(world, 'ends');
});
afterAll(() => world?.stop());

const finished = (name: string) => lab.events(name).filter(({ reason }) => reason === 'PlanFinished');

/** An Instance whose deploy plan is COMPLETE by its status, while the write that empties `planExecution` fails. */
async function notYetCleared(name: string): Promise<void> {
  const { plans, ...spec } = oneStep([apply('first', 'first.yaml'), apply('second', 'second.yaml')]);
  const templates = { 'first.yaml': configMap(`${name}-first`), 'second.yaml': configMap(`${name}-second`) };
  const version = await lab.operator(name, {
    ...spec,
    templates,
    parameters: [{ name: 'P', trigger: 'other' }],
    plans: { ...plans, other: plan(['run', 'second']) },
  });
  const isOver = () => lab.find('instances', name) !== undefined && statusOf(name, 'deploy') === 'COMPLETE';
  world.refuse(({ method, path }) =>
    method === 'PUT' && path.endsWith(`/instances/${name}`) && isOver() ? 500 : undefined,
  );
  await lab.create(name, version);
  await world.until('deploy is COMPLETE', isOver);
  expect(lab.instance(name).spec?.planExecution?.planName).toBe('deploy');
}

const statusOf = (name: string, planName: string) => lab.instance(name).status?.planStatus?.[planName]?.status;

describe('a cleanup that failed', () => {
  it('CTL-09 CTL-10 ADM-58 keeps the Instance and says so in planExecution too, until a new uid starts it again', async () => {
    const templates = { 'taken.yaml': configMap('stuck-taken'), 'last.yaml': deployment('stuck-last') };
    const version = await lab.operator('stuck', {
      templates,
      tasks: [task('done', 'Dummy', { done: true }), apply('taken', 'taken.yaml'), apply('last', 'last.yaml')],
      plans: { deploy: plan(['run', 'done']), cleanup: plan(['first', 'taken'], ['second', 'last']) },
    });
    await lab.create('stuck', version);
    await lab.ends('stuck', 'deploy');
    const metadata = { name: 'stuck-taken', annotations: { 'somebody.example/s': 'mine' } };
    await lab.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await lab.remove('instances', 'stuck');
    const execution = () => lab.instance('stuck').spec?.planExecution;
    await world.until('it is told', () => execution()?.status === 'FATAL_ERROR');
    expect(execution()).toMatchObject({
      planName: 'cleanup',
      uid: lab.instance('stuck').status?.planStatus?.cleanup?.uid,
    });
    await world.pass(120_000);
    expect(lab.instance('stuck').metadata.finalizers).toEqual(['kudo.dev.instance.cleanup']);

    await lab.remove('configmaps', 'stuck-taken');
    await lab.patch('instances', 'stuck', { spec: { planExecution: { uid: 'again' } } });
    await lab.step('stuck', 'cleanup.main.second', 'IN_PROGRESS');
    await world.until('it is told', () => execution()?.status === 'IN_PROGRESS');
    expect(execution()).toEqual({ planName: 'cleanup', uid: 'again', status: 'IN_PROGRESS' });
    await world.until('it is gone', () => lab.find('instances', 'stuck') === undefined);
  });
});

describe('the end of a plan', () => {
  it('is announced once, also when the write that empties planExecution fails at first', async () => {
    await notYetCleared('late');
    await world.pass(20_000);
    world.refuse(undefined);
    await lab.ends('late', 'deploy');
    expect(finished('late').map(({ message, count }) => [message, count ?? 1])).toEqual([
      ['Execution of plan deploy finished with status COMPLETE', 1],
    ]);
  });

  it('is announced, and what the plan left is known, when a person starts the next one in that very moment', async () => {
    await notYetCleared('quick');
    await world.pass(1_000);
    const { uid } = lab.instance('quick').status?.planStatus?.deploy ?? {};
    await lab.patch('instances', 'quick', { spec: { planExecution: { planName: 'other', uid: 'mine' } } });
    world.refuse(undefined);
    await lab.ends('quick', 'other');
    expect(finished('quick').map(({ message }) => message)).toEqual([
      'Execution of plan deploy finished with status COMPLETE',
      'Execution of plan other finished with status COMPLETE',
    ]);
    const runs = inventoryOf(lab.instance('quick'))?.runs ?? [];
    expect(runs.map((run) => [run.plan, run.objects.map((entry) => entry.name)])).toEqual([
      ['deploy', ['quick-first']],
      ['other', ['quick-second']],
    ]);
    expect(runs[0]?.uid).toBe(uid);
  });
});
