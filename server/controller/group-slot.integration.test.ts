import { afterEach, describe, expect, it } from 'vitest';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, never } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';

const operator: OperatorVersionSpec = {
  tasks: [never, done],
  plans: { deploy: plan(['run', 'done']), heavy: plan(['wait', 'never']) },
};
const NAMES = ['a', 'b', 'c'];

let engine: VirtualEngine;
let lab: Lab;
afterEach(() => engine?.stop());

/** Three Instances of one operator, whose plan `heavy` runs once at a time. */
async function begin(): Promise<void> {
  engine = await startVirtualEngine();
  lab = await Lab.open(engine, 'groups');
  await engine.startController();
  const version = await lab.operator('db', operator);
  const concurrency = { heavy: { concurrency: { group: 'heavy', limit: 1 } } };
  const annotations = { [PLAN_METADATA_ANNOTATION]: JSON.stringify(concurrency) };
  await lab.patch('operatorversions', version, { metadata: { annotations } });
  for (const name of NAMES) {
    await lab.create(name, version);
    await lab.ends(name, 'deploy');
  }
}

const startAll = async () => {
  const start = (name: string) =>
    lab.patch('instances', name, { spec: { planExecution: { planName: 'heavy', uid: name } } });
  for (const name of NAMES) await start(name);
};
const begun = () => NAMES.filter((name) => lab.stepNow(name, 'heavy.main.wait')?.status === 'IN_PROGRESS');
const finish = (name: string) =>
  lab.patch('planruns', `${name}-heavy-1`, { spec: { skip: [{ phase: 'main', step: 'wait', reason: 'enough' }] } });

describe('a concurrency group', () => {
  it('lets one run at a time go on, over a restart too, and the others say for whom they wait', async () => {
    await begin();
    await startAll();
    await engine.pass(20_000);
    const [first = ''] = begun();
    expect(begun()).toHaveLength(1);
    const waiting = NAMES.filter((name) => name !== first);
    for (const name of waiting) {
      const run = await lab.run(`${name}-heavy-1`, 'PENDING');
      expect(run.status?.message).toBe(
        `Waits for the run of plan heavy of Instance ${first}: group heavy has at most one run at a time.`,
      );
      expect(run.status?.steering ?? []).toEqual([]);
    }
    await engine.stopController();
    await engine.startController();
    await engine.pass(20_000);
    expect(begun()).toEqual([first]);
    await finish(first);
    await engine.pass(20_000);
    expect(begun()).toHaveLength(1);
    const [second = ''] = begun();
    await finish(second);
    await engine.pass(20_000);
    const last = NAMES.find((name) => name !== first && name !== second) ?? '';
    expect(begun()).toEqual([last]);
    await finish(last);
    for (const name of NAMES) await lab.run(`${name}-heavy-1`, 'COMPLETE');
  });
});
