import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' };
const PATH = '/api/v1/namespaces/default/configmaps?watch=1';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({
    port: 'none',
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  });
});

afterEach(() => sandbox.stop());

async function watch(): Promise<AsyncIterator<Uint8Array>> {
  const headers = { authorization: `Bearer ${sandbox.adminToken}` };
  const { body } = await sandbox.inject({ method: 'GET', path: `${PATH}&resourceVersion=0`, headers });
  return body[Symbol.asyncIterator]();
}

async function nextPiece(body: AsyncIterator<Uint8Array>): Promise<string[]> {
  const { value } = (await body.next()) as { value: Uint8Array };
  return Buffer.from(value)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { name: string } } };
      return `${type} ${object.metadata.name}`;
    });
}

function create(name: string): void {
  sandbox.api.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
}

describe('a watch', () => {
  it('sends what is written in one turn as one piece, in order, to every watcher', async () => {
    const watchers = [await watch(), await watch()];
    create('a');
    create('b');
    sandbox.api.delete({ ...CONFIG_MAPS, name: 'a' });
    for (const watcher of watchers) expect(await nextPiece(watcher)).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
    create('c');
    for (const watcher of watchers) expect(await nextPiece(watcher)).toEqual(['ADDED c']);
  });

  it('sends what it still has when it ends', async () => {
    const watcher = await watch();
    create('last');
    // The commit is made after this turn; the watcher has heard of it, but has not yet sent anything.
    await Promise.resolve();
    await sandbox.stop();
    expect(await nextPiece(watcher)).toEqual(['ADDED last']);
    expect((await watcher.next()).done).toBe(true);
  });
});
