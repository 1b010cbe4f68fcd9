import { afterEach, describe, expect, it } from 'vitest';
import { METER_ANNOTATION } from '@/lib/kudo/usage/meter';
import { type UsageRow, usageRows } from '@/lib/kudo/usage/rows';
import { listLedgers } from '@/server/usage/ledger-store';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep } from '@/test/operators/templates';

const HOUR_MS = 3_600_000;
/** An hour before the end of November. */
const START_MS = Date.UTC(2026, 10, 30, 23);

let engine: VirtualEngine | undefined;

afterEach(async () => {
  await engine?.stop();
  engine = undefined;
});

async function start(): Promise<Lab> {
  engine = await startVirtualEngine({ startMs: START_MS, countsUsage: true });
  await engine.startController();
  return Lab.open(engine, 'lab');
}

/** Creates an operator with a meter, and an Instance; waits for its deploy plan. */
async function deploy(lab: Lab, name: string, nodes: string): Promise<void> {
  const spec = {
    ...oneStep([apply('main', 'config.yaml')], { templates: { 'config.yaml': configMap('{{ .Name }}-config') } }),
    parameters: [{ name: 'NODES', default: '1' }],
  };
  const version = await lab.operator('pond', spec);
  const meter = JSON.stringify([{ name: 'nodes', unit: 'node-hours', value: '{{ .Params.NODES }}' }]);
  await lab.patch('operatorversions', version, { metadata: { annotations: { [METER_ANNOTATION]: meter } } });
  await lab.create(name, version, { NODES: nodes });
  await lab.ends(name, 'deploy');
}

async function rows(lab: Lab): Promise<UsageRow[]> {
  const ledgers = await lab.engine.run(listLedgers(lab.engine.people));
  return [...ledgers].flatMap(([namespace, ledger]) => usageRows(ledger, namespace, lab.engine.clock.now()));
}

/** `2026-11 nodes 1.5`, in tenths of an hour. */
async function hours(lab: Lab): Promise<string[]> {
  return (await rows(lab)).map(({ month, meter, amount }) => `${month} ${meter} ${Math.round(amount * 10) / 10}`);
}

describe('usage', () => {
  it('counts Instances and meters by month, over the end of a month', async () => {
    const lab = await start();
    await deploy(lab, 'one', '3');
    await lab.engine.pass(1.5 * HOUR_MS);
    expect(await hours(lab)).toEqual([
      '2026-12 instances 0.5',
      '2026-12 nodes 1.5',
      '2026-11 instances 1',
      '2026-11 nodes 3',
    ]);
  });

  it('counts a changed meter from its change on, and a deleted Instance for the time that it lived', async () => {
    const lab = await start();
    await deploy(lab, 'one', '3');
    await lab.engine.pass(0.3 * HOUR_MS);
    await lab.patch('instances', 'one', { spec: { parameters: { NODES: '5' } } });
    await lab.engine.pass(0.3 * HOUR_MS);
    expect(await hours(lab)).toEqual(['2026-11 instances 0.6', '2026-11 nodes 2.4']);
    await lab.remove('instances', 'one');
    await lab.engine.pass(0.3 * HOUR_MS);
    expect(await hours(lab)).toEqual(['2026-11 instances 0.6', '2026-11 nodes 2.4']);
  });

  it('is right after a restart: a life goes on, and one that ended meanwhile ends when it was last seen', async () => {
    const lab = await start();
    await deploy(lab, 'one', '3');
    await lab.create('two', 'pond-1', { NODES: '1' });
    await lab.ends('two', 'deploy');
    await lab.engine.pass(1.5 * HOUR_MS);
    await lab.engine.stopController();
    await lab.engine.clock.advance(0.3 * HOUR_MS);
    await lab.remove('instances', 'two');
    await lab.engine.clock.advance(4.2 * HOUR_MS);
    await lab.engine.startController();
    await lab.engine.pass(HOUR_MS / 60);
    // `one`: 1 h and 5 h, three nodes. `two`: 1 h, when its ledger was checked last, of the 1.8 h that it lived.
    expect(await hours(lab)).toEqual([
      '2026-12 instances 5',
      '2026-12 nodes 15.1',
      '2026-11 instances 2',
      '2026-11 nodes 4',
    ]);
  });

  it('adds a life once when the answer of the write is lost', async () => {
    const lab = await start();
    await deploy(lab, 'one', '3');
    await lab.engine.pass(0.5 * HOUR_MS);
    let lost = 0;
    lab.engine.refuse(({ method, path, body }) => {
      if (method !== 'PUT' || !path.includes('bravo-usage') || lost > 0) return undefined;
      lost += 1;
      // The write is made, and its answer does not arrive.
      const written = JSON.parse(String(body)) as never;
      void lab.engine.people.update(
        { group: '', version: 'v1', resource: 'configmaps', namespace: 'lab', name: 'bravo-usage' },
        written,
      );
      return 503;
    });
    await lab.remove('instances', 'one');
    await lab.engine.pass(0.2 * HOUR_MS);
    expect([lost, await hours(lab)]).toEqual([1, ['2026-11 instances 0.5', '2026-11 nodes 1.5']]);
  });

  it('counts nothing for a meter that gives no number, and says so', async () => {
    const lab = await start();
    await deploy(lab, 'one', 'many');
    await lab.engine.pass(0.5 * HOUR_MS);
    expect(await hours(lab)).toEqual(['2026-11 instances 0.5']);
    expect(lab.engine.logged.some((line) => line.includes('meter nodes gave \\"many\\"'))).toBe(true);
  });
});
