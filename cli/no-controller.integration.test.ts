import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { rfc3339 } from '@/lib/clock/rfc3339';
import { LEASE_NAME } from '@/lib/kudo/installation/names';
import { CONFIGURATION_NAME, CONFIGURATIONS, TIMEOUT_SECONDS, webhookEntry } from '@/server/webhook/registration';
import { type Engine, startEngine } from '@/test/engine/https-engine';
import { writePond } from '@/test/operators/pond-package';
import { runBravo as bravo } from '@/test/programs/run-bravo';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default' };
const NO_CONTROLLER =
  'Warning: No controller is running. The change is stored; a controller acts upon it when one runs.\n';

/** A controller that hangs accepts connections and does not answer; one that is dead accepts none. */
describe('verbs without a controller', () => {
  let engine: Engine;
  let folder: string;
  let frozen: Server;
  const calls: Socket[] = [];

  beforeAll(async () => {
    engine = await startEngine({ controller: false });
    folder = await mkdtemp(join(tmpdir(), 'bravo-no-controller-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    for (const version of ['0.1.0', '0.2.0']) await writePond(join(folder, version), version);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    frozen = createServer((socket) => void calls.push(socket));
    await new Promise<void>((resolve) => frozen.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    for (const call of calls) call.destroy();
    await new Promise((resolve) => frozen.close(resolve));
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const register = (port: number) =>
    engine.api.create(CONFIGURATIONS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: CONFIGURATION_NAME },
      webhooks: [webhookEntry({ kind: 'url', url: `https://127.0.0.1:${port}`, names: [] }, '')],
    });
  const unregister = () => engine.api.delete({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });

  it('an install and an edit succeed at once when no webhook listens, with a warning', async () => {
    await register(1);
    const installed = await bravo('install', join(folder, '0.1.0'), '--instance', 'one');
    expect(installed).toMatchObject({ err: NO_CONTROLLER, code: 0 });
    expect(await bravo('update', '--instance', 'one', '-p', 'LEVEL=warn')).toEqual({
      out: 'Instance one was updated.\n',
      err: NO_CONTROLLER,
      code: 0,
    });
    await unregister();
  });

  it('an edit waits once for a controller that hangs, and so does an upgrade', async () => {
    await register((frozen.address() as AddressInfo).port);
    const startMs = systemClock.monotonic();
    expect(await bravo('update', '--instance', 'one', '-p', 'LEVEL=info')).toMatchObject({
      err: NO_CONTROLLER,
      code: 0,
    });
    expect(systemClock.monotonic() - startMs).toBeGreaterThanOrEqual(TIMEOUT_SECONDS * 1000 - 100);
    expect(calls).toHaveLength(1);
    expect(await bravo('upgrade', join(folder, '0.2.0'), '--instance', 'one')).toMatchObject({
      err: NO_CONTROLLER,
      code: 0,
    });
    expect(calls).toHaveLength(2);
    const spec = { holderIdentity: 'it', renewTime: rfc3339(systemClock.now()).replace('Z', '.000000Z') };
    await engine.api.create(LEASES, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: LEASE_NAME },
      spec,
    });
    expect((await bravo('update', '--instance', 'one', '-p', 'FILE=b')).err).toBe(
      'Warning: The controller did not answer in time. The change is stored; the controller acts upon it later.\n',
    );
    expect(calls).toHaveLength(3);
    await engine.api.delete({ ...LEASES, name: LEASE_NAME });
    await unregister();
  });

  it('a controller that starts acts upon what was stored meanwhile', async () => {
    await engine.restartController();
    expect(await bravo('plan', 'wait', '--instance', 'one')).toMatchObject({ code: 0 });
    const place = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default', name: 'one' };
    expect((await engine.api.get(place))?.data).toMatchObject({ level: 'info', file: 'b' });
    expect(await bravo('update', '--instance', 'one', '-p', 'LEVEL=warn', '--wait')).toMatchObject({
      err: '',
      code: 0,
    });
  });
});
