import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startNode } from '@/test/programs/process';

const ROUNDS = 6;
const CLIENTS = 8;
const SERVING = 'The sandbox serves ';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-kill-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Client {
  readonly url: string;
  readonly token: string;
  readonly agent: Agent;
}

function start(): Running {
  const files = ['--data-dir', join(folder, 'data'), '--write-kubeconfig', join(folder, 'kubeconfig')];
  return startNode(['bin/bravo', 'sandbox', '--port', '0', '--no-controllers', ...files]);
}

async function connect(running: Running): Promise<Client> {
  await running.printed(SERVING, 90_000);
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(readFileSync(join(folder, 'kubeconfig'), 'utf8'));
  const ca = Buffer.from(kubeConfig.getCurrentCluster()?.caData ?? '', 'base64');
  const agent = new Agent({ keepAlive: true, ca });
  const token = kubeConfig.getCurrentUser()?.token ?? '';
  return { url: kubeConfig.getCurrentCluster()?.server ?? '', token, agent };
}

interface Answer {
  readonly code: number;
  readonly body: { metadata: { name: string; resourceVersion: string }; items: Answer['body'][] };
}

async function call({ url, token, agent }: Client, method: string, path: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(url + path, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (!response.complete) reject(new Error('cut off'));
        else resolve({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const PATH = '/api/v1/namespaces/default/configmaps';

/** Creates objects until the server is down; records each acknowledged object with its revision. */
async function write(client: Client, prefix: string, acknowledged: Map<string, number>): Promise<void> {
  for (let count = 0; ; count++) {
    const name = `${prefix}-${count}`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: 'v'.repeat(500) } };
    const answer = await call(client, 'POST', PATH, object).catch(() => undefined);
    if (answer === undefined) return;
    expect(answer.code).toBe(201);
    acknowledged.set(name, Number(answer.body.metadata.resourceVersion));
  }
}

describe('a sandbox that is killed while it writes', () => {
  it('has every acknowledged write after the next start, and its revisions never decrease', {
    timeout: 300_000,
  }, async () => {
    const acknowledged = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const running = start();
      const client = await connect(running);
      const before = acknowledged.size;
      const writers = Array.from({ length: CLIENTS }, (_, writer) =>
        write(client, `r${round}-w${writer}`, acknowledged),
      );
      while (acknowledged.size < before + 40 * (round + 1))
        await Promise.race([once(client.agent, 'free'), writers[0]]);
      running.child.kill('SIGKILL');
      await Promise.all(writers);
      client.agent.destroy();
    }
    const running = start();
    const client = await connect(running);
    const { body } = await call(client, 'GET', PATH);
    const present = new Map(body.items.map(({ metadata }) => [metadata.name, Number(metadata.resourceVersion)]));
    for (const [name, revision] of acknowledged) expect([name, present.get(name)]).toEqual([name, revision]);
    const revisions = [...present.values()];
    expect(new Set(revisions).size).toBe(revisions.length);
    const next = await call(client, 'POST', PATH, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'last' } });
    expect(Number(next.body.metadata.resourceVersion)).toBeGreaterThan(Math.max(...revisions));
    client.agent.destroy();
    await running.stop();
  });
});
