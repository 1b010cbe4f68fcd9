import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockOf } from '@/lib/kudo/lock/instance-lock';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { wiping } from '@/test/operators/destructive-operator';
import { runBravo as bravo } from '@/test/programs/run-bravo';

describe('the command line and a lock', () => {
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-lock-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    const version = await createOperator(engine.api, 'lab', 'op', wiping());
    await createInstance(engine.api, 'lab', 'one', version);
    await planEnds(engine.api, 'lab', 'one', { plan: 'deploy' });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const UNTIL = '2999-01-01T00:00:00Z';
  const WORDS = `Instance lab/one is locked until ${UNTIL}: Black Friday. Unlock it with`;
  const refused = (what: string) => ({ out: '', err: expect.stringContaining(what), code: 255 });
  const trigger = ['plan', 'trigger', '--instance', 'one', '--name', 'deploy', '-n', 'lab'];
  const update = ['update', '--instance', 'one', '-p', 'A=b', '-n', 'lab'];

  it('lock refuses an end that is over, and no time at all', async () => {
    const until = (end: string) => bravo('lock', 'one', '-n', 'lab', '--reason', 'sale', '--until', end);
    expect(await until('2020-01-01T00:00:00Z')).toMatchObject(refused('the end 2020-01-01T00:00:00Z is over'));
    expect(await until('tomorrow')).toMatchObject(refused('the end must be a time like'));
  });

  it('lock holds every verb that starts a plan, until unlock', async () => {
    expect(await bravo('lock', 'one', '-n', 'lab', '--reason', 'Black Friday', '--until', UNTIL)).toMatchObject({
      out: `instance lab/one locked until ${UNTIL}\n`,
      code: 0,
    });
    expect(await bravo(...trigger)).toMatchObject(refused(WORDS));
    expect(await bravo(...update)).toMatchObject(refused(WORDS));
    expect(await bravo('run', 'retry', 'one-deploy-1', '-n', 'lab')).toMatchObject(refused(WORDS));
    const again = ['lock', '--instance', 'one', '-n', 'lab', '--reason', 'more', '--until', '4h'];
    expect(await bravo(...again)).toMatchObject(refused('To change that, run bravo unlock first'));
    expect(await bravo('unlock', 'one', '-n', 'lab')).toMatchObject({ out: 'instance lab/one unlocked\n', code: 0 });
    expect(await bravo('unlock', 'one', '-n', 'lab')).toMatchObject({
      out: 'instance lab/one is not locked\n',
      code: 0,
    });
    expect(await bravo(...trigger, '--wait', '--wait-time', '60')).toMatchObject({ code: 0 });
  });

  it.each([
    ['plan trigger', trigger],
    ['update', update],
    ['run retry', ['run', 'retry', 'one-deploy-1', '-n', 'lab']],
  ])('%s --break-lock starts it, once', async (_verb, words) => {
    await bravo('unlock', 'one', '-n', 'lab');
    await bravo('lock', 'one', '-n', 'lab', '--reason', 'Black Friday', '--until', '4h');
    const before = await getInstance(engine.api, 'lab', 'one');
    expect(lockOf(before ?? { metadata: {} })).toMatchObject({ reason: 'Black Friday' });
    expect(await bravo(...words, '--break-lock', 'disk full', '--wait', '--wait-time', '60')).toMatchObject({
      code: 0,
    });
    expect(await bravo(...trigger)).toMatchObject(refused('Instance lab/one is locked until'));
  });
});
