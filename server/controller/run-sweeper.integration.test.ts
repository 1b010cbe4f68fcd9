import { afterAll, beforeAll, expect, it } from 'vitest';
import { RUN_SECRET_SUFFIX, RUN_SECRET_TYPE } from '@/server/runs/run-secret';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep } from '@/test/operators/templates';
import { SWEEP_EVERY_MS } from './run-sweeper';

let world: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  world = await startVirtualEngine();
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
