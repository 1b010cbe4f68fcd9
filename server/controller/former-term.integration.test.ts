import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inventoryOf } from '@/lib/kudo/inventory/inventory';
import { Lab } from '@/test/engine/lab';
import { type ControllerCall, startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep } from '@/test/operators/templates';

let world: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  // Lost and taken again before a read is given up.
  world = await startVirtualEngine({ leaseDurationS: 3 });
  lab = await Lab.open(world, 'term');
  await world.startController();
});
afterAll(() => world?.stop());

/** Holds the first answer to a read of a ConfigMap back. */
function holdReadOf(name: string): { isHeld(): boolean; goOn(): void; away(isAway: boolean): void } {
  let goOn = () => {};
  const held = new Promise<undefined>((resolve) => {
    goOn = () => resolve(undefined);
  });
  let isHeld = false;
  let isAway = false;
  world.refuse(({ method, path }) => {
    if (isAway && path.includes('/leases')) return 500;
    if (isHeld || method !== 'GET' || !path.endsWith(`/configmaps/${name}`)) return undefined;
    isHeld = true;
    return held;
  });
  return {
    isHeld: () => isHeld,
    goOn: () => goOn(),
    away: (value) => {
      isAway = value;
    },
  };
}

/** While an answer is held back, the lease is lost and taken again. */
async function leadsAgain(hold: ReturnType<typeof holdReadOf>): Promise<void> {
  await world.until('an answer is held back', hold.isHeld);
  hold.away(true);
  await world.pass(5_000);
  hold.away(false);
  const isRenewal = ({ method, path, status }: ControllerCall) =>
    method === 'PUT' && path.includes('/leases') && status === 200;
  const renewals = () => world.calls.filter(isRenewal).length;
  const before = renewals();
  await world.until('it leads again', () => renewals() > before);
}

/** The Instance goes while the answer is held back: what is written afterwards, but for the end of the record of its run. */
async function writesAfterwards(name: string, hold: ReturnType<typeof holdReadOf>): Promise<string[]> {
  await leadsAgain(hold);
  await lab.remove('instances', name);
  await world.pass(100);
  const known = world.calls.length;
  hold.goOn();
  await world.pass(5_000);
  return world.calls
    .slice(known)
    .filter(({ method, path }) => method !== 'GET' && path.includes('/term/') && !/\/(instances|planruns)\//.test(path))
    .map(({ method, path }) => `${method} ${path}`);
}

const parameters = [{ name: 'SIZE', default: '1' }];
const oneMap = (name: string) =>
  oneStep([apply('a', 'c.yaml')], { parameters, templates: { 'c.yaml': configMap(name) } });

describe('C08 who lost the lease and holds it again does not go on with what was begun before', () => {
  it('in a plan', async () => {
    await lab.deploy('app', oneMap('c'));
    await lab.remove('configmaps', 'c');
    const hold = holdReadOf('c');
    await lab.patch('instances', 'app', { spec: { parameters: { SIZE: '2' } } });
    expect(await writesAfterwards('app', hold)).toEqual([]);
  });

  it('in a repair', async () => {
    const version = await lab.operator('kept', oneMap('k'));
    await lab.create('kept', version, {}, { annotations: { 'bravo.kudo.dev/self-heal': 'on' } });
    await lab.ends('kept', 'deploy');
    await world.pass(60_000);
    const hold = holdReadOf('k');
    await lab.remove('configmaps', 'k');
    expect(await writesAfterwards('kept', hold)).toEqual([]);
  });

  it('but looks anew, and loses nothing of what the plan left', async () => {
    await lab.deploy('whole', oneMap('w'));
    const hold = holdReadOf('w');
    // Of an object that is as it should be: nothing is to be written but that the plan ran.
    await lab.patch('instances', 'whole', { spec: { planExecution: { planName: 'deploy', uid: 'again' } } });
    await leadsAgain(hold);
    hold.goOn();
    await world.until('it has ended', () => lab.instance('whole').spec?.planExecution?.planName === undefined);
    const inventory = inventoryOf(lab.instance('whole'));
    expect(inventory?.unsettled).toBeUndefined();
    expect(inventory?.runs.map(({ uid }) => uid)).toEqual(['again']);
  });
});
