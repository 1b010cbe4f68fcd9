import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { saying, WIPE, wiping } from '@/test/operators/destructive-operator';
import { runBravo as bravo } from '@/test/programs/run-bravo';

describe('the command line and a destructive plan', () => {
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-confirm-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    const version = await createOperator(engine.api, 'lab', 'op', wiping());
    const needs = { preconditions: [{ expression: "params.FROM != 'never'", message: 'Choose another FROM.' }] };
    const annotations = saying({ wipe: { ...WIPE, ...needs } });
    const target = { ...OPERATOR_VERSIONS, namespace: 'lab', name: version };
    await engine.api.patch(target, 'merge', { metadata: { annotations } });
    await createInstance(engine.api, 'lab', 'one', version);
    await planEnds(engine.api, 'lab', 'one', { plan: 'deploy' });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const from = async () => {
    const place = { group: '', version: 'v1', resource: 'configmaps', namespace: 'lab', name: 'one-wiped' };
    return (await engine.api.get(place))?.data;
  };
  const refused = (what: string) => ({ out: '', err: expect.stringContaining(what), code: 255 });

  it('plan trigger refuses without a confirmation, and starts with it', async () => {
    const trigger = ['plan', 'trigger', '--instance', 'one', '--name', 'wipe', '-n', 'lab'];
    expect(await bravo(...trigger)).toMatchObject(
      refused('plan "wipe" of instance one deletes or replaces data. To confirm that, add --confirm wipe/one'),
    );
    expect(await from()).toBeUndefined();
    expect(await bravo(...trigger, '--confirm', 'wipe/one', '--wait', '--wait-time', '60')).toMatchObject({ code: 0 });
    expect(await from()).toMatchObject({ from: 'latest' });
  });

  it('update refuses an edit that starts it without a confirmation, and starts it with one', async () => {
    const update = ['update', '--instance', 'one', '-p', 'FROM=monday', '-n', 'lab'];
    expect(await bravo(...update)).toMatchObject(refused('To confirm that, add --confirm wipe/one'));
    expect(await bravo(...update, '--confirm=wipe/one', '--wait', '--wait-time', '60')).toMatchObject({ code: 0 });
    expect(await from()).toMatchObject({ from: 'monday' });
  });

  it('run retry refuses without a confirmation, and repeats the plan with it', async () => {
    const retry = ['run', 'retry', 'one-wipe-1', '-n', 'lab'];
    expect(await bravo(...retry)).toMatchObject(refused('To confirm that, add --confirm wipe/one'));
    const edit = [...retry, '-p', 'FROM=tuesday'];
    expect(await bravo(...edit)).toMatchObject(refused('To confirm that, add --confirm wipe/one'));
    expect(await bravo(...edit, '--confirm', 'wipe/one', '--wait', '--wait-time', '60')).toMatchObject({ code: 0 });
    expect(await from()).toMatchObject({ from: 'tuesday' });
  });

  it('update refuses an edit with which a precondition does not hold, whatever is confirmed', async () => {
    const update = ['update', '--instance', 'one', '-p', 'FROM=never', '-n', 'lab', '--confirm', 'wipe/one'];
    expect(await bravo(...update)).toMatchObject(refused('plan "wipe" cannot start. Choose another FROM'));
    expect(await from()).toMatchObject({ from: 'tuesday' });
  });
});
