import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCK_ANNOTATION } from '@/lib/kudo/lock/instance-lock';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import {
  type OperatorUpgrade,
  type OperatorUpgradeSpec,
  UPGRADE_ANNOTATION,
} from '@/lib/kudo/upgrades/operator-upgrade';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan, task } from '@/test/operators/templates';

const TEMPLATE = configMap('{{ .Name }}', '{size: "{{ .Params.SIZE }}", version: "{{ .OperatorVersion }}"}');

/** Version of the operator `db`: its deploy writes a ConfigMap. A version that `fails` has a fatal task after it. */
function version(
  number: string,
  more: { fails?: boolean; parameters?: OperatorVersionSpec['parameters'] } = {},
): OperatorVersionSpec {
  const bad = task('bad', 'Dummy', { wantErr: true, fatal: true });
  return {
    version: number,
    templates: { 'config.yaml': TEMPLATE },
    tasks: [apply('config', 'config.yaml'), bad],
    parameters: more.parameters ?? [
      { name: 'SIZE', default: '1' },
      { name: 'PASSWORD', default: 'none' },
    ],
    plans: { deploy: plan(more.fails === true ? ['run', 'config', 'bad'] : ['run', 'config']) },
  };
}

let engine: VirtualEngine;
let lab: Lab;

beforeEach(async () => {
  engine = await startVirtualEngine({ startMs: Date.parse('2026-11-28T12:00:00Z') });
  lab = await Lab.open(engine, 'fleet');
  await engine.startController();
  await lab.operator('db', version('1.0.0'));
  for (const name of ['a', 'b', 'c']) {
    await lab.create(name, 'db-1.0.0', { PASSWORD: `hunter-${name}` });
    await lab.ends(name, 'deploy');
  }
});
afterEach(() => engine?.stop());

function upgrade(spec: OperatorUpgradeSpec, name = 'up') {
  return lab.put('operatorupgrades', {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'OperatorUpgrade',
    metadata: { name, namespace: lab.namespace },
    spec: { operator: 'db', instances: ['a', 'b', 'c'], path: ['db-1.1.0'], ...spec },
  });
}

const statusOf = (name = 'up') => (lab.find('operatorupgrades', name) as OperatorUpgrade | undefined)?.status ?? {};
const phaseIs = (phase: string, name?: string) =>
  engine
    .until(`the upgrade is ${phase}`, () => statusOf(name).phase === phase)
    .catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(statusOf(name))}`);
    });
const versions = () => ['a', 'b', 'c'].map((name) => lab.instance(name).spec?.operatorVersion?.name);
const edit = (spec: object, name = 'up') => lab.patch('operatorupgrades', name, { spec: spec as never });
const runsOf = (name: string) => lab.runs(name).map(({ spec, status }) => [spec?.plan, spec?.cause, status?.status]);

describe('an upgrade', () => {
  it('moves one Instance after the other through all versions, with the values that they need, and says so in their runs', async () => {
    await lab.operator('db', version('1.1.0'));
    await lab.operator(
      'db',
      version('1.2.0', {
        parameters: [
          { name: 'SIZE', default: '2' },
          { name: 'ZONE', required: true },
        ],
      }),
    );
    await upgrade({ path: ['db-1.1.0', 'db-1.2.0'], parameters: { ZONE: 'west' }, reason: 'CVE-1' });
    await phaseIs('Complete');
    expect(versions()).toEqual(Array(3).fill('db-1.2.0'));
    expect(lab.instance('a').spec?.parameters).toMatchObject({ ZONE: 'west' });
    expect(runsOf('a')).toEqual([
      ['deploy', 'Create', 'COMPLETE'],
      ['deploy', 'Version', 'COMPLETE'],
      ['deploy', 'Version', 'COMPLETE'],
    ]);
    expect(lab.runs('b').at(-1)?.spec?.reason).toBe('upgrade up, wave 2: CVE-1');
    const [first, second] = ['a', 'b'].map((name) => lab.runs(name));
    expect((first?.at(-1)?.status?.finishedAt ?? '') <= (second?.at(1)?.status?.startedAt ?? '')).toBe(true);
    expect(lab.instance('a').metadata.annotations).not.toHaveProperty(UPGRADE_ANNOTATION);
    expect(JSON.stringify(statusOf())).not.toContain('hunter');
    expect(engine.logged.join()).not.toContain('hunter');
  });

  it('pauses at a failure, and goes back by hand to the versions and values from before', async () => {
    await lab.operator('db', version('1.1.0', { fails: true, parameters: [{ name: 'SIZE', default: '5' }] }));
    await upgrade({ waveSize: 2, parameters: { SIZE: '7' } });
    await phaseIs('Paused');
    expect(versions()).toEqual(['db-1.1.0', 'db-1.1.0', 'db-1.0.0']);
    expect(lab.instance('a').spec?.parameters).not.toHaveProperty('PASSWORD');
    expect(statusOf().message).toMatch(/^Wave 1 failed. Instance a: Plan deploy failed: /);
    await edit({ rollBack: true });
    await phaseIs('RolledBack');
    expect(versions()).toEqual(Array(3).fill('db-1.0.0'));
    expect(lab.instance('a').spec?.parameters).toEqual({ PASSWORD: 'hunter-a' });
    expect(statusOf().instances?.map(({ state }) => state)).toEqual(['RolledBack', 'RolledBack', 'Skipped']);
  });

  it('takes the wave back by itself, and tries it again when somebody resumes', async () => {
    await lab.operator('db', version('1.1.0', { fails: true }));
    await upgrade({ rollBackWave: true });
    await phaseIs('Paused');
    expect(versions()).toEqual(Array(3).fill('db-1.0.0'));
    await engine.pass(2_000);
    expect(lab.reasons('up')).toEqual(['UpgradeRunning', 'UpgradeRollingBack', 'UpgradePaused']);
    await lab.patch('operatorversions', 'db-1.1.0', { spec: { plans: { deploy: plan(['run', 'config']) } } as never });
    await edit({ resume: 1 });
    await phaseIs('Complete');
    expect(versions()).toEqual(Array(3).fill('db-1.1.0'));
  });

  it('starts a failed plan again when somebody resumes', async () => {
    await lab.operator('db', version('1.1.0', { fails: true }));
    await upgrade({ instances: ['a'] });
    await phaseIs('Paused');
    await lab.patch('operatorversions', 'db-1.1.0', { spec: { plans: { deploy: plan(['run', 'config']) } } as never });
    await edit({ resume: 1 });
    await phaseIs('Complete');
    expect(runsOf('a').map(([, , status]) => status)).toEqual(['COMPLETE', 'FATAL_ERROR', 'COMPLETE']);
  });
});

describe('an upgrade waits', () => {
  it('for a lock, and says whose', async () => {
    await lab.operator('db', version('1.1.0'));
    const lock = JSON.stringify({ reason: 'audit', until: '2026-11-28T12:20:00Z' });
    await lab.patch('instances', 'a', { metadata: { annotations: { [LOCK_ANNOTATION]: lock } } });
    await upgrade({});
    await engine.until('it is held', () => statusOf().instances?.[0]?.state === 'Held');
    expect(statusOf().message).toContain('audit');
    expect(versions()).toEqual(Array(3).fill('db-1.0.0'));
    await phaseIs('Complete');
    expect([statusOf().finishedAt ?? '', '2026-11-28T12:20:00Z'].sort()[0]).toBe('2026-11-28T12:20:00Z');
  });

  it('for a confirmation of a destructive plan', async () => {
    await lab.operator('db', version('1.1.0'));
    const metadata = { annotations: { [PLAN_METADATA_ANNOTATION]: '{"deploy":{"destructive":true}}' } };
    await lab.patch('operatorversions', 'db-1.1.0', { metadata });
    await upgrade({ instances: ['a'] });
    await engine.until('it is held', () => statusOf().instances?.[0]?.state === 'Held');
    expect(statusOf().message).toContain('To confirm it, set spec.confirm to db.');
    await edit({ confirm: 'db' });
    await phaseIs('Complete');
  });

  it('for a value that the version requires', async () => {
    await lab.operator('db', version('1.1.0', { parameters: [{ name: 'SIZE' }, { name: 'ZONE', required: true }] }));
    await upgrade({ instances: ['a'] });
    await engine.until('it is held', () => statusOf().instances?.[0]?.state === 'Held');
    expect(statusOf().message).toContain('"ZONE" is required but has no value set');
    expect(versions()[0]).toBe('db-1.0.0');
  });

  it('for another upgrade that has the Instance', async () => {
    await lab.operator('db', version('1.1.0', { fails: true }));
    await lab.operator('db', version('1.2.0'));
    await upgrade({ instances: ['a'] });
    await phaseIs('Paused');
    await upgrade({ instances: ['a'], path: ['db-1.2.0'] }, 'other');
    await engine.until('it is held', () => statusOf('other').instances?.[0]?.state === 'Held');
    expect(statusOf('other').message).toBe('Instance a: OperatorUpgrade up moves it, and is not over.');
    await edit({ cancel: true });
    await phaseIs('Complete', 'other');
    expect(versions()[0]).toBe('db-1.2.0');
  });

  it('for its window', async () => {
    await lab.operator('db', version('1.1.0'));
    await upgrade({ window: { start: '30 12 * * *', durationMinutes: 60 } });
    await engine.until('it says so', () => statusOf().message?.includes('window is closed') === true);
    await engine.pass(20 * 60_000);
    expect(versions()).toEqual(Array(3).fill('db-1.0.0'));
    await engine.pass(10 * 60_000);
    await phaseIs('Complete');
  });

  it('for no version that is older, and for no Instance of another operator', async () => {
    await lab.operator('db', version('0.9.0'));
    await lab.operator('web', { ...version('2.0.0') });
    await upgrade({ instances: ['a'], path: ['db-0.9.0'] });
    await upgrade({ instances: ['b'], path: ['web-2.0.0'] }, 'other');
    await phaseIs('Paused');
    await phaseIs('Paused', 'other');
    expect(statusOf().message).toContain('Version 0.9.0 is not newer than 1.0.0.');
    expect(statusOf('other').message).toContain('It is an Instance of operator web, and not of db.');
  });
});

describe('a controller that is killed', () => {
  it.each(Array.from({ length: 14 }, (_, index) => index + 1))(
    'after its write number %i in mid-wave leaves the same end to the next one',
    async (count) => {
      await lab.operator('db', version('1.1.0'));
      await lab.operator('db', version('1.2.0', { fails: true }));
      let left = count;
      // From then on no write arrives, as if the process had ended there.
      engine.refuse(({ method }) => (method === 'GET' || left-- > 0 ? undefined : 503));
      await upgrade({ waveSize: 2, path: ['db-1.1.0', 'db-1.2.0'], rollBackWave: true });
      await engine.until('the writes are used up', () => left < 0);
      await engine.stopController();
      engine.refuse(undefined);
      await engine.startController();
      await phaseIs('Paused');
      expect(versions()).toEqual(Array(3).fill('db-1.0.0'));
      expect(statusOf().instances?.map(({ state }) => state)).toEqual(['RolledBack', 'RolledBack', 'Waiting']);
      for (const name of ['a', 'b']) {
        expect(lab.instance(name).spec?.parameters).toEqual({ PASSWORD: `hunter-${name}` });
        expect(runsOf(name).map(([, , status]) => status)).toEqual(['COMPLETE', 'COMPLETE', 'FATAL_ERROR', 'COMPLETE']);
      }
    },
  );
});
