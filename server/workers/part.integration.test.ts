import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Part, type PartOptions, startPart } from './part';

const folder = mkdtempSync(join(tmpdir(), 'bravo-part-'));
const READY = `import { parentPort } from 'node:worker_threads';
const say = (message) => parentPort.postMessage(message);
parentPort.on('message', () => process.exit(0));
say({ type: 'ready', facts: { port: '1' } });
`;

/** Starts a worker of that code; its death as a promise. */
async function begin(code: string): Promise<{ part: Part; died: Promise<string> }> {
  const file = join(folder, `${Math.abs(code.length)}.mjs`);
  writeFileSync(file, code);
  let onDeath: PartOptions['onDeath'] = () => undefined;
  const died = new Promise<string>((resolve) => {
    onDeath = resolve;
  });
  const entry = 'controller-worker';
  const part = await startPart({ entry, settings: {}, file: pathToFileURL(file), lookMs: 50, onDeath });
  return { part, died };
}

describe('a part in a worker', () => {
  it('is ended when its event loop stands still, and its death is told (C37)', async () => {
    const { died } = await begin(`${READY} setTimeout(() => { for (;;); }, 50);`);
    expect(await died).toMatch(/gave no sign of life/);
  });

  it('lives on while it gives signs of life', async () => {
    const { part, died } = await begin(`${READY} setInterval(() => say({ type: 'beat' }), 10);`);
    const outcome = await Promise.race([died, new Promise((resolve) => setTimeout(resolve, 600, 'alive'))]);
    expect(outcome).toBe('alive');
    expect(part.isSilent).toBe(false);
    await part.stop(1_000);
  });

  it('tells its last words when it throws (C36)', async () => {
    const { died } = await begin(`${READY} setTimeout(() => { throw new Error('injected'); }, 50);`);
    expect(await died).toBe('injected');
  });
});
