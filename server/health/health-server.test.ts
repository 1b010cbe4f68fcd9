import { afterEach, describe, expect, it } from 'vitest';
import { controllerUnready } from './controller-health';
import { type HealthServer, startHealthServer } from './health-server';

const ready = { isSynced: true, isWebhookReady: true, webhookWords: 'is served', leaseProblem: undefined };

describe('the health server', () => {
  let server: HealthServer | undefined;
  afterEach(() => server?.stop());
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server?.port}${path}`);
    return [answer.status, await answer.text()];
  };

  it('is alive and ready', async () => {
    server = await startHealthServer(0, () => controllerUnready(ready));
    expect(await ask('/healthz')).toEqual([200, 'ok\n']);
    expect(await ask('/readyz?verbose')).toEqual([200, 'ok\n']);
    expect((await ask('/metrics'))[0]).toBe(404);
  });

  it('names each reason why it is not ready, and stays alive', async () => {
    const parts = { isSynced: false, isWebhookReady: false, webhookWords: 'starts', leaseProblem: 'no right' };
    server = await startHealthServer(0, () => controllerUnready(parts));
    expect(await ask('/readyz')).toEqual([
      503,
      'the first lists of Instances and OperatorVersions were not read yet\nthe webhook starts\nno right\n',
    ]);
    expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  });

  it('says that a port is taken, and which variable chooses another', async () => {
    server = await startHealthServer(0, () => []);
    await expect(startHealthServer(server.port, () => [])).rejects.toThrow(
      /cannot listen on port \d+.*BRAVO_HEALTH_PORT/,
    );
  });
});
