import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' };
const PATH = '/api/v1/namespaces/default/configmaps?watch=1';

let sandbox: Sandbox;
let clock: VirtualClock;

beforeEach(async () => {
  clock = new VirtualClock();
  sandbox = await startSandbox({
    port: 'none',
    mode: 'no-controllers',
    podDelayMs: 0,
    clock,
    random: systemRandom,
  });
});

afterEach(() => sandbox.stop());

async function watch(query = ''): Promise<AsyncIterator<Uint8Array>> {
  const headers = { authorization: `Bearer ${sandbox.adminToken}` };
  const { body } = await sandbox.inject({ method: 'GET', path: `${PATH}&resourceVersion=0${query}`, headers });
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
    // The commit follows this turn of the event loop; the watcher knows of it, but has not sent anything yet.
    await Promise.resolve();
    await sandbox.stop();
    expect(await nextPiece(watcher)).toEqual(['ADDED last']);
    expect((await watcher.next()).done).toBe(true);
  });

  it('lives as long as one without a timeout when its timeout is 0', async () => {
    const watcher = await watch('&timeoutSeconds=0');
    await clock.advance(60_000);
    create('later');
    expect(await nextPiece(watcher)).toEqual(['ADDED later']);
  });

  it('ends after its timeout', async () => {
    const watcher = await watch('&timeoutSeconds=5');
    create('a');
    expect(await nextPiece(watcher)).toEqual(['ADDED a']);
    await clock.advance(5_000);
    expect((await watcher.next()).done).toBe(true);
  });

  it('is JSON: a client that accepts only YAML gets 406', async () => {
    const headers = { authorization: `Bearer ${sandbox.adminToken}`, accept: 'application/yaml, application/json' };
    const { status, body } = await sandbox.inject({ method: 'GET', path: PATH, headers });
    expect(status).toBe(406);
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    expect(Buffer.concat(pieces).toString('utf8')).toContain(
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
  });
});
