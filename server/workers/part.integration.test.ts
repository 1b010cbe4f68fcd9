import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type PartOptions, startPart } from './part';

const folder = mkdtempSync(join(tmpdir(), 'bravo-part-'));
const READY = `import { parentPort } from 'node:worker_threads';
const say = (message) => parentPort.postMessage(message);
parentPort.on('message', () => process.exit(0));
say({ type: 'ready', facts: { port: '1' } });
`;

/** Starts a worker of that code; resolves with the reason of its end. */
async function deathOf(code: string): Promise<string> {
  const file = join(folder, `${Math.abs(code.length)}.mjs`);
  writeFileSync(file, code);
  let onDeath: PartOptions['onDeath'] = () => undefined;
  const died = new Promise<string>((resolve) => {
    onDeath = resolve;
  });
  const entry = 'controller-worker';
  await startPart({ entry, settings: {}, file: pathToFileURL(file), checkMs: 50, onDeath });
  return died;
}

describe('a part in a worker', () => {
  it('is ended when its event loop hangs, and its end is reported', async () => {
    expect(await deathOf(`${READY} setTimeout(() => { for (;;); }, 50);`)).toMatch(/did not answer/);
  });

  it('reports the error that it throws', async () => {
    expect(await deathOf(`${READY} setTimeout(() => { throw new Error('injected'); }, 50);`)).toBe('injected');
  });
});
