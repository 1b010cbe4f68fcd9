import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Call, type EngineWorld, startWorld } from '@/e2e/compat/engine/engine-fixture';
import { Lab } from '@/e2e/compat/engine/lab';
import { apply, configMap, oneStep } from '@/e2e/compat/engine/templates';

let world: EngineWorld;
let lab: Lab;

beforeAll(async () => {
  world = await startWorld();
  lab = await Lab.open(world, 'term');
  await world.startController();
});
afterAll(() => world?.stop());

it('C08 who lost the lease and holds it again does not go on with what was begun before', async () => {
  const parameters = [{ name: 'SIZE', default: '1' }];
  await lab.deploy('app', oneStep([apply('a', 'c.yaml')], { parameters, templates: { 'c.yaml': configMap('c') } }));
  await lab.remove('configmaps', 'c');
  let goOn = () => {};
  const held = new Promise<undefined>((resolve) => {
    goOn = () => resolve(undefined);
  });
  let isHeld = false;
  let isAway = false;
  world.refuse(({ method, path }) => {
    if (isAway && path.includes('/leases')) return 500;
    if (isHeld || method !== 'GET' || !path.endsWith('/configmaps/c')) return undefined;
    isHeld = true;
    return held;
  });
  await lab.patch('instances', 'app', { spec: { parameters: { SIZE: '2' } } });
  await world.until('a task waits for the answer', () => isHeld);

  isAway = true;
  await world.pass(20_000);
  isAway = false;
  const isRenewal = ({ method, path, status }: Call) => method === 'PUT' && path.includes('/leases') && status === 200;
  const renewals = () => world.calls.filter(isRenewal).length;
  const before = renewals();
  await world.until('it leads again', () => renewals() > before);
  await lab.remove('instances', 'app');
  await world.pass(1_000);
  const known = world.calls.length;
  goOn();
  await world.pass(5_000);
  // The Instance itself is written as it was read, or not at all.
  const isUnguarded = ({ method, path }: Call) =>
    method !== 'GET' && path.includes('/term/') && !path.includes('/instances/');
  const written = world.calls.slice(known).filter(isUnguarded);
  expect(written.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
