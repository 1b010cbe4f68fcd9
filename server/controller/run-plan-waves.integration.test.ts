import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import {
  type OperatorUpgrade,
  type OperatorUpgradeSpec,
  UPGRADE_ANNOTATION,
} from '@/lib/kudo/upgrades/operator-upgrade';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan, task } from '@/test/operators/templates';

const version: OperatorVersionSpec = {
  version: '1.0.0',
  templates: { 'config.yaml': configMap('{{ .Name }}', '{size: "{{ .Params.SIZE }}"}') },
  tasks: [apply('config', 'config.yaml'), task('bad', 'Dummy', { wantErr: true, fatal: true })],
  parameters: [{ name: 'SIZE', default: '1' }],
  plans: {
    deploy: plan(['run', 'config']),
    check: plan(['run', 'config']),
    broken: plan(['run', 'config', 'bad']),
  },
};

let engine: VirtualEngine;
let lab: Lab;

beforeEach(async () => {
  engine = await startVirtualEngine({ startMs: Date.parse('2026-11-28T12:00:00Z') });
  lab = await Lab.open(engine, 'fleet');
  await engine.startController();
  await lab.operator('db', version);
  for (const name of ['a', 'b', 'c']) {
    await lab.create(name, 'db-1.0.0', {});
    await lab.ends(name, 'deploy');
  }
});
afterEach(() => engine?.stop());

function waves(spec: OperatorUpgradeSpec) {
  return lab.put('operatorupgrades', {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'OperatorUpgrade',
    metadata: { name: 'waves', namespace: lab.namespace },
    spec: { operator: 'db', instances: ['a', 'b', 'c'], plan: 'check', ...spec },
  });
}

const statusOf = () => (lab.find('operatorupgrades', 'waves') as OperatorUpgrade | undefined)?.status ?? {};
const phaseIs = (phase: string) =>
  engine
    .until(`the waves are ${phase}`, () => statusOf().phase === phase)
    .catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(statusOf())}`);
    });
const statesOf = () => statusOf().instances?.map(({ state }) => state);
const runsOf = (name: string, of: string) => lab.runs(name).filter(({ spec }) => spec?.plan === of);

describe('a plan in waves', () => {
  it('runs once on each Instance, the next wave when all runs of the one before are complete', async () => {
    await waves({ waveSize: 2, reason: 'audit' });
    await phaseIs('Complete');
    expect(statusOf().message).toBe('Plan check is complete on all 3 Instances.');
    for (const name of ['a', 'b', 'c']) expect(runsOf(name, 'check')).toHaveLength(1);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => runsOf(name, 'check')[0]);
    const firstEnded = [a, b].map((run) => run?.status?.finishedAt ?? '').sort();
    expect((firstEnded.at(-1) ?? '') <= (c?.status?.startedAt ?? '')).toBe(true);
    expect(c?.spec?.reason).toBe('wave 2 of waves: audit');
    expect(lab.instance('a').metadata.annotations).not.toHaveProperty(UPGRADE_ANNOTATION);
  });

  it('stops at a failure, and tries it again, more than once, when somebody resumes', async () => {
    await waves({ plan: 'broken' });
    await phaseIs('Paused');
    expect(statesOf()).toEqual(['Failed', 'Waiting', 'Waiting']);
    expect(statusOf().message).toMatch(/^Wave 1 failed. Instance a: Plan broken failed/);
    expect(runsOf('b', 'broken')).toEqual([]);
    await lab.patch('operatorupgrades', 'waves', { spec: { resume: 1 } as never });
    await engine.until('it failed again', () => runsOf('a', 'broken').length === 2 && statusOf().phase === 'Paused');
    await lab.patch('operatorversions', 'db-1.0.0', {
      spec: { plans: { ...version.plans, broken: plan(['run', 'config']) } } as never,
    });
    await lab.patch('operatorupgrades', 'waves', { spec: { resume: 2 } as never });
    await phaseIs('Complete');
    expect(runsOf('a', 'broken').map(({ status }) => status?.status)).toEqual([
      'FATAL_ERROR',
      'FATAL_ERROR',
      'COMPLETE',
    ]);
    expect(runsOf('b', 'broken')).toHaveLength(1);
  });

  it('runs a plan again that ran before', async () => {
    await waves({ plan: 'deploy' });
    await phaseIs('Complete');
    for (const name of ['a', 'b', 'c']) expect(runsOf(name, 'deploy')).toHaveLength(2);
  });

  it('fails an Instance without the plan by name, and goes on where it may', async () => {
    await waves({ plan: 'nothing', pauseOnFailure: false });
    await phaseIs('Failed');
    expect(statusOf().instances?.[0]?.message).toBe('Operator db has no plan nothing in this version.');
  });
});

describe('a controller that is killed', () => {
  it.each([1, 2, 3, 4, 6, 9, 12])('after its write number %i has started each run once at the end', async (count) => {
    let left = count;
    // From then on no write arrives, as if the process had ended there.
    engine.refuse(({ method }) => (method === 'GET' || left-- > 0 ? undefined : 503));
    await waves({ waveSize: 2 });
    await engine.until('the writes are used up', () => left < 0);
    await engine.stopController();
    engine.refuse(undefined);
    await engine.startController();
    await phaseIs('Complete');
    for (const name of ['a', 'b', 'c']) expect(runsOf(name, 'check')).toHaveLength(1);
  });
});

it.each([
  [{ path: ['db-1.0.0'] }, /exactly one of path and plan/],
  [{ rollBackWave: true }, /cannot be rolled back/],
  [{ parameters: { SIZE: '2' } }, /parameters go with a path/],
])('the API server refuses %j beside a plan', async (spec, reason) => {
  await expect(waves(spec)).rejects.toThrow(reason);
});
