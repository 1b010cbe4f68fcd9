import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OPERATOR_SUBSCRIPTIONS, type OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

/** A controller that does not follow addresses of its own machine, as in a cluster. */
describe('subscriptions on the command line', () => {
  let engine: Engine;
  let folder: string;
  const bravo = (...words: string[]) =>
    runBravo('subscriptions', ...words, '-n', 'lab', '--home', join(folder, 'home'));
  const create = (...words: string[]) => bravo('create', 'pond', '--operator', 'pond', ...words);
  const target = { ...OPERATOR_SUBSCRIPTIONS, namespace: 'lab', name: 'pond' };
  const stored = async () => (await engine.api.get(target)) as OperatorSubscription | undefined;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-subscriptions-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    [['--repository', 'file:///etc'], '--repository "file:///etc" cannot be followed. Write the name of a repository'],
    [['--repository', 'http://h', '--channel', 'A'], '--channel must be names of lower case letters'],
    [['--repository', 'http://h', '--interval', '1'], '--interval must be a number of minutes from 5 on'],
    [['--repository', 'http://h', '-l', 'tier'], '--selector must be labels such as tier=test'],
    [['--repository', 'http://h', '--window', 'x'], 'is no cron expression'],
    [['--repository', 'http://user:secret@h'], 'Error: --repository cannot be followed. Write the name'],
    [['--repository', 'http://h', '--confirm', 'other'], 'confirm must be the name of the operator'],
  ])('refuses %j', async (words, message) => {
    expect((await create(...words)).err).toContain(message);
  });

  it('creates one, whose address of this machine the controller does not follow', async () => {
    const words = ['--repository', 'http://127.0.0.1:1', '--automatic', '-l', 'tier=test', '--window', '0 22 * * *'];
    expect((await create(...words)).out).toBe('subscription lab/pond created\n');
    expect((await stored())?.spec).toEqual({
      operator: 'pond',
      repository: 'http://127.0.0.1:1',
      channel: 'stable',
      approval: 'Automatic',
      intervalMinutes: 60,
      selector: { tier: 'test' },
      waveSize: 1,
      instanceTimeoutMinutes: 60,
      window: { start: '0 22 * * *', durationMinutes: 60, timeZone: 'UTC' },
    });
    await vi.waitFor(async () => expect((await stored())?.status?.problem).toContain('127.0.0.1 is this machine'), {
      timeout: 20_000,
      interval: 200,
    });
    expect((await bravo('list')).out).toContain('this machine');
    expect((await bravo('show', 'pond')).out).toContain('pond, channel stable of http://127.0.0.1:1');
  });

  it('approves the version that waits, and no other one', async () => {
    expect((await bravo('approve', 'pond')).err).toBe('Error: subscription lab/pond has no newer version\n');
    expect((await bravo('suspend', 'pond')).out).toBe('subscription lab/pond suspended\n');
    await vi.waitFor(async () => expect((await stored())?.status?.heldBy).toBe('The subscription is suspended.'), {
      timeout: 20_000,
      interval: 200,
    });
    await engine.api.patch(target, 'merge', { status: { path: ['pond-2', 'pond-3'] } }, { subresource: 'status' });
    expect((await bravo('approve', 'pond', '--seen', 'pond-2')).err).toContain('waits with version pond-3, not pond-2');
    expect((await bravo('approve', 'pond')).out).toBe('version pond-3 approved for subscription lab/pond\n');
    expect((await stored())?.status?.approvedVersion).toBe('pond-3');
    expect((await bravo('delete', 'pond')).out).toBe('subscription lab/pond deleted\n');
    expect((await bravo('show', 'pond')).err).toBe('Error: subscription lab/pond does not exist\n');
  });
});
