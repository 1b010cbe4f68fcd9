import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineWorld, startWorld } from '@/e2e/compat/engine/engine-fixture';
import { Lab } from '@/e2e/compat/engine/lab';
import { apply, configMap, oneStep } from '@/e2e/compat/engine/templates';
import { RUN_SECRET_SUFFIX, RUN_SECRET_TYPE } from '@/server/runs/run-secret';
import { SWEEP_EVERY_MS } from './run-sweeper';

let world: EngineWorld;
let lab: Lab;

beforeAll(async () => {
  world = await startWorld();
  lab = await Lab.open(world, 'sweep');
  await world.startController();
});
afterAll(() => world?.stop());

const remembered = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: RUN_SECRET_TYPE,
  metadata: { name: `${name}${RUN_SECRET_SUFFIX}` },
});

it('C08 what a leader that was frozen writes down after the run is over does not stay', async () => {
  await lab.deploy('app', oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('c') } }));
  await lab.put('secrets', remembered('app'));
  await lab.put('secrets', { ...remembered('app'), metadata: { name: 'mine' } });
  await world.until(
    'the late one is gone',
    () => lab.find('secrets', `app${RUN_SECRET_SUFFIX}`) === undefined,
    SWEEP_EVERY_MS,
  );
  expect(lab.find('secrets', 'mine')).toBeDefined();
});
