import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TransientError } from '@/lib/errors/errors';
import type { Release } from '@/lib/kudo/upgrades/find-path';
import {
  CHECK_NOW,
  type OperatorSubscription,
  type OperatorSubscriptionSpec,
} from '@/lib/kudo/upgrades/operator-subscription';
import type { OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import { writeYaml } from '@/lib/yaml/yaml';
import { loadFromArchive } from '@/server/packages/loaded-package';
import type { PackageReference, ReleaseSource } from '@/server/packages/package-reference';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { plan } from '@/test/operators/templates';

const MINUTE_MS = 60_000;
const tasks = [{ name: 'done', kind: 'Dummy', spec: { done: true } }];
const plans = { deploy: plan(['run', 'done']) };

/** A repository in memory that counts, and may not answer. */
class MemoryRepository implements ReleaseSource {
  list: Release[] = [];
  asked = 0;
  isDown = false;

  async releases(): Promise<readonly Release[]> {
    this.asked += 1;
    if (this.isDown)
      throw new TransientError('failed to fetch http://packages/index.yaml: no response', 'DownloadFailed');
    return this.list;
  }

  async find({ name, operatorVersion = '' }: PackageReference) {
    const parameters = operatorVersion === '3.0.0' ? [{ name: 'ZONE', required: true }] : [];
    const files = new Map([
      ['operator.yaml', writeYaml({ apiVersion: 'kudo.dev/v1beta1', name, operatorVersion, tasks, plans })],
      ['params.yaml', writeYaml({ apiVersion: 'kudo.dev/v1beta1', parameters })],
    ]);
    return loadFromArchive(files, '', `${name}-${operatorVersion}`);
  }
}

const release = (operatorVersion: string, more: Partial<Release> = {}): Release => ({
  operatorVersion,
  appVersion: '',
  ...more,
});

let engine: VirtualEngine;
let lab: Lab;
let repository: MemoryRepository;

beforeEach(async () => {
  repository = new MemoryRepository();
  repository.list = [release('1.0.0'), release('1.1.0')];
  engine = await startVirtualEngine({ startMs: Date.parse('2026-11-28T12:00:00Z'), openRepository: () => repository });
  lab = await Lab.open(engine, 'fleet');
  await engine.startController();
  await lab.operator('db', { version: '1.0.0', tasks, plans });
  for (const name of ['a', 'b']) {
    await lab.create(name, 'db-1.0.0', {}, { labels: { 'kudo.dev/operator': 'db', tier: name } });
    await lab.ends(name, 'deploy');
  }
});
afterEach(() => engine?.stop());

function subscribe(spec: OperatorSubscriptionSpec = {}) {
  return lab.put('operatorsubscriptions', {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'OperatorSubscription',
    metadata: { name: 'db', namespace: lab.namespace },
    spec: { operator: 'db', repository: 'http://packages', ...spec },
  });
}

const status = () => (lab.find('operatorsubscriptions', 'db') as OperatorSubscription | undefined)?.status ?? {};
const upgrade = () => lab.find('operatorupgrades', status().upgrade ?? '') as OperatorUpgrade | undefined;
const versions = () => ['a', 'b'].map((name) => lab.instance(name).spec?.operatorVersion?.name);
const edit = (spec: object) => lab.patch('operatorsubscriptions', 'db', { spec: spec as never });
const approve = (version: string) =>
  lab.patch('operatorsubscriptions', 'db', { status: { approvedVersion: version } }, 'status');
const heldBy = (text: string) =>
  engine
    .until(`it is held by ${text}`, () => status().heldBy?.includes(text) === true)
    .catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(status())}`);
    });
const isDone = (version: string) =>
  engine.until('both are upgraded', () => versions().every((each) => each === version));

describe('a subscription', () => {
  it('says what is available, and starts nothing before a person approves it', async () => {
    repository.list[0] = release('1.0.0', {
      withdrawn: { reason: 'loses data' },
      advisories: [{ id: 'DB-1', severity: 'high', summary: 'Bad' }],
    });
    await subscribe();
    await heldBy('Version db-1.1.0 waits for an approval.');
    expect(status()).toMatchObject({
      available: 'db-1.1.0',
      path: ['db-1.1.0'],
      installed: [{ version: 'db-1.0.0', instances: 2, withdrawn: 'loses data', advisories: [{ id: 'DB-1' }] }],
    });
    await engine.pass(5 * MINUTE_MS);
    expect(versions()).toEqual(['db-1.0.0', 'db-1.0.0']);
    await approve('db-1.1.0');
    await isDone('db-1.1.0');
    await engine.until('it is seen', () => status().installed?.[0]?.version === 'db-1.1.0');
    expect(status()).toMatchObject({
      path: [],
      approvedVersion: 'db-1.1.0',
      upgrade: expect.stringMatching(/^db-[0-9a-f]{10}$/),
    });
    expect(status()).not.toHaveProperty('heldBy');
    expect(upgrade()?.spec).toMatchObject({ instances: ['a', 'b'], path: ['db-1.1.0'], reason: 'subscription db' });
  });

  it('upgrades by itself, in its window, with its waves, and only what it selects', async () => {
    const window = { start: '20 12 * * *', durationMinutes: 30 };
    await subscribe({ approval: 'Automatic', window, waveSize: 2, rollBackWave: true, selector: { tier: 'a' } });
    await heldBy('The maintenance window is closed; it opens at 2026-11-28T12:20:00Z.');
    await engine.until('a is upgraded', () => versions()[0] === 'db-1.1.0');
    expect(engine.clock.now()).toBeGreaterThanOrEqual(Date.parse('2026-11-28T12:20:00Z'));
    expect(upgrade()?.spec).toMatchObject({ instances: ['a'], waveSize: 2, rollBackWave: true, window });
    await engine.pass(5 * MINUTE_MS);
    expect(versions()).toEqual(['db-1.1.0', 'db-1.0.0']);
  });

  it('asks at intervals, backs off when the repository does not answer, and goes on then', async () => {
    repository.isDown = true;
    await subscribe({ approval: 'Automatic', intervalMinutes: 30 });
    await engine.until('it says so', () => status().problem !== undefined);
    await engine.pass(20 * MINUTE_MS);
    expect(repository.asked).toBeGreaterThan(2);
    expect(repository.asked).toBeLessThan(9);
    repository.isDown = false;
    await isDone('db-1.1.0');
    expect(status()).not.toHaveProperty('problem');
    const { asked } = repository;
    await engine.pass(60 * MINUTE_MS);
    expect(repository.asked - asked).toBeLessThanOrEqual(5);
  });

  it('asks at once when a person takes the next check away', async () => {
    repository.list = [release('1.0.0')];
    await subscribe({ approval: 'Automatic' });
    await engine.until('it is checked', () => status().available === 'db-1.0.0');
    repository.list = [release('1.0.0'), release('1.1.0')];
    await engine.pass(5 * MINUTE_MS);
    expect(status().available).toBe('db-1.0.0');
    const askedMs = engine.clock.now();
    await lab.patch('operatorsubscriptions', 'db', CHECK_NOW, 'status');
    await isDone('db-1.1.0');
    expect(engine.clock.now() - askedMs).toBeLessThan(MINUTE_MS);
  });

  it('is held back by what the planner finds, and by a version that nothing leads to', async () => {
    repository.list = [release('1.0.0'), release('3.0.0')];
    await subscribe({ approval: 'Automatic' });
    await heldBy('Instance a: db-3.0.0: parameter "ZONE" is required but has no value set');
    repository.list = [release('1.0.0'), release('3.0.0', { upgradableFrom: { operatorVersion: '>=2.0.0' } })];
    await edit({ channel: 'stable', intervalMinutes: 5 });
    await engine.pass(12 * MINUTE_MS);
    expect(status().heldBy).toContain('Version 3.0.0 upgrades from operatorVersion >=2.0.0 only');
    expect(versions()).toEqual(['db-1.0.0', 'db-1.0.0']);
  });

  it('starts nothing while it is suspended', async () => {
    await subscribe({ approval: 'Automatic', suspend: true });
    await heldBy('The subscription is suspended.');
    expect(repository.asked).toBe(0);
    await edit({ suspend: false });
    await isDone('db-1.1.0');
  });

  it('does not try an upgrade again that somebody cancelled, until it is deleted', async () => {
    await subscribe({ approval: 'Automatic' });
    await engine.until('it is created', () => status().upgrade !== undefined);
    const { upgrade: name = '' } = status();
    await lab.patch('operatorupgrades', name, { spec: { rollBack: true } });
    await heldBy(`OperatorUpgrade ${name} to this version is RolledBack. To try it again, delete it.`);
    await engine.pass(30 * MINUTE_MS);
    expect(versions()).toEqual(['db-1.0.0', 'db-1.0.0']);
    await lab.remove('operatorupgrades', name);
    await isDone('db-1.1.0');
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'makes one upgrade, also when the controller ends after its write number %i',
    async (count) => {
      let left = count;
      engine.refuse(({ method }) => (method === 'GET' || left-- > 0 ? undefined : 503));
      await subscribe({ approval: 'Automatic' });
      await engine.until('the writes are used up', () => left < 0);
      await engine.stopController();
      engine.refuse(undefined);
      await engine.startController();
      await isDone('db-1.1.0');
      const made = engine.sandbox.api.list({
        group: 'bravo.kudo.dev',
        version: 'v1alpha1',
        resource: 'operatorupgrades',
        namespace: lab.namespace,
      });
      expect(made).toHaveLength(1);
      expect(lab.runs('a')).toHaveLength(2);
    },
  );
});
