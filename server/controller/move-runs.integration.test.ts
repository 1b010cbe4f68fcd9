import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { HISTORY_ANNOTATION, runHistory } from '@/lib/kudo/plan/run-history';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';

const DAY_MS = 86_400_000;
const spec: OperatorVersionSpec = {
  tasks: [done],
  parameters: [{ name: 'A', default: 'a', trigger: 'deploy' }],
  plans: { deploy: plan(['run', 'done']) },
};

describe('runs that an earlier version recorded on the Instance', () => {
  let engine: VirtualEngine;
  let lab: Lab;
  beforeAll(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'moved');
  });
  afterAll(() => engine?.stop());
  afterEach(() => engine.stopController());

  const textOf = (name: string) => lab.instance(name).metadata.annotations?.[HISTORY_ANNOTATION] ?? '';
  const row = (uid: string, letter: string, daysAgo: number) => {
    const endMs = engine.clock.now() - daysAgo * DAY_MS;
    const steps = [['main', [['run', letter, 2.5]]]];
    return ['deploy', uid, letter, formatTime(endMs - 3_000), formatTime(endMs), 3, steps];
  };

  /** The uid of the last run of plan deploy. */
  const lastUid = (name: string) => lab.instance(name).status?.planStatus?.deploy?.uid ?? '';
  /** An Instance as an earlier version left it, without a controller. */
  const asBefore = async (name: string): Promise<void> => {
    await engine.startController();
    await lab.deploy(name, spec);
    await engine.stopController();
    for (const { metadata } of lab.runs(name))
      await engine.run(engine.people.delete({ ...PLAN_RUNS, namespace: 'moved', name: metadata.name ?? '' }));
    const text = JSON.stringify([row('old', 'C', 100), row('first', 'F', 2), row(lastUid(name), 'C', 0)]);
    await lab.patch('instances', name, { metadata: { annotations: { [HISTORY_ANNOTATION]: text } } });
  };
  const moved = (name: string) => lab.runs(name).map(({ spec: { uid } = {}, status }) => [uid, status?.status]);
  const died = async () => {
    engine.refuse(() => 500);
    await engine.stopController();
    engine.refuse(undefined);
  };

  it('become PlanRuns that say what is known, and leave the Instance with the next write that is made anyway', async () => {
    await asBefore('db');
    const { resourceVersion } = lab.instance('db').metadata;
    await engine.startController();
    await engine.until('both are moved', () => moved('db').every(([, status]) => status !== undefined));
    await engine.pass(2_000);
    // The one that is a hundred days old would be deleted at once.
    expect(moved('db')).toEqual([
      ['first', 'FATAL_ERROR'],
      [lastUid('db'), 'COMPLETE'],
    ]);
    expect(lab.instance('db').metadata.resourceVersion).toBe(resourceVersion);
    const [first, second] = lab.runs('db');
    const instanceUid = lab.instance('db').metadata.uid;
    expect(first?.spec).toEqual({ instanceName: 'db', instanceUid, plan: 'deploy', uid: 'first' });
    // The Instance still says why its last run began.
    expect(second?.spec).toMatchObject({ uid: lastUid('db'), cause: 'Create' });
    expect(first?.status?.message).toContain('without why it began');
    expect(second?.status).toMatchObject({
      phases: [{ name: 'main', status: 'COMPLETE', steps: [{ name: 'run', status: 'COMPLETE', seconds: 2.5 }] }],
    });
    const before = lastUid('db');
    await lab.edit('db', { parameters: { A: 'b' } }, 'deploy');
    expect(moved('db').map(([uid]) => uid)).toEqual(['first', before, lastUid('db')]);
    expect(textOf('db').length).toBeLessThanOrEqual(300);
    expect(runHistory(lab.instance('db')).map(({ uid }) => uid)).toEqual([before, lastUid('db')]);
  });

  it.each([1, 2, 3, 4])('are moved once and whole when the controller dies before its write %d', async (last) => {
    const name = `dies-${last}`;
    await asBefore(name);
    let writes = 0;
    engine.refuse(({ method, path }) => {
      if (method !== 'GET' && path.includes('/planruns')) writes += 1;
      return writes >= last ? 500 : undefined;
    });
    const start = engine.startController().catch(() => undefined);
    await engine.until('it comes to that write', () => writes >= last);
    await died();
    await start;
    await engine.startController();
    await engine.until('both are moved', () => moved(name).filter(([, status]) => status !== undefined).length === 2);
    await engine.pass(2_000);
    expect(moved(name)).toEqual([
      ['first', 'FATAL_ERROR'],
      [lastUid(name), 'COMPLETE'],
    ]);
  });

  it('stay on the Instance while the controller may not create PlanRuns', async () => {
    await asBefore('kept');
    const before = JSON.parse(textOf('kept'));
    engine.refuse(({ method, path }) => (method === 'POST' && path.includes('/planruns') ? 403 : undefined));
    await engine.startController();
    await lab.edit('kept', { parameters: { A: 'b' } }, 'deploy');
    expect(JSON.parse(textOf('kept')).slice(0, 3)).toEqual(before);
    expect(runHistory(lab.instance('kept')).at(-1)?.uid).toBe(lastUid('kept'));
    engine.refuse(undefined);
    await lab.edit('kept', { parameters: { A: 'c' } }, 'deploy');
    expect(moved('kept').map(([uid]) => uid)).toEqual(['first', before[2]?.[1], lastUid('kept')]);
    expect(textOf('kept').length).toBeLessThanOrEqual(300);
  });
});
