import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { RenderWorker } from './render-worker';
import type { RenderBatch } from './render-worker-protocol';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';
let entry: URL;
const open: RenderWorker[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-render-'));
  const outfile = join(folder, 'render-worker.mjs');
  await build({
    entryPoints: [join(root, 'server/tasks/render-worker-thread.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { '@': root },
    logLevel: 'error',
  });
  entry = pathToFileURL(outfile);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const worker of open.splice(0)) await worker.close();
});

const ofRun = (purpose: string) => ({ from: 'run-key', key: new Uint8Array(32).fill(1), purpose }) as const;

function batch(texts: readonly string[], more: Partial<RenderBatch> = {}): RenderBatch {
  const templates = texts.map((text, index) => ({ name: `t${index}.yaml`, text }));
  return {
    templates,
    values: { Name: 'demo', Params: {} },
    randomness: ofRun('run-1'),
    nowMs: 1_700_000_000_000,
    ...more,
  };
}

function worker(options: { entry?: URL; clock?: VirtualClock } = {}): {
  worker: RenderWorker;
  warnings: string[];
  clock: VirtualClock;
} {
  const warnings: string[] = [];
  const clock = options.clock ?? new VirtualClock();
  const made = new RenderWorker({
    entry: options.entry ?? entry,
    clock,
    log: { warn: (event: string) => void warnings.push(event) },
  });
  open.push(made);
  return { worker: made, warnings, clock };
}

/** Runs for hours: the budget of steps is lifted, so that only the wall time can end it. */
const ENDLESS = 'a: 1\nb: {{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}\n';

describe('a render worker', () => {
  it('gives texts in order and errors with their place', async () => {
    const { worker: renderer } = worker();
    const results = await renderer.render(batch(['name: {{ .Name }}', 'x\n{{ .Nope }}', '{{ if }}']));
    expect(results).toEqual([
      { text: 'name: demo', isRandom: false },
      { error: expect.objectContaining({ failure: 'exec', place: { template: 't1.yaml', line: 2, column: 3 } }) },
      { error: expect.objectContaining({ failure: 'parse', place: { template: 't2.yaml', line: 1, column: -1 } }) },
    ]);
  });

  it('gives the same bytes for the same key and purpose, random values and keys included', async () => {
    const { worker: renderer } = worker();
    const texts = ['{{ randAlphaNum 20 }} {{ uuidv4 }}', '{{ genPrivateKey "ecdsa" }}{{ (genCA "ca" 365).Key }}'];
    const [first, second] = await Promise.all([renderer.render(batch(texts)), renderer.render(batch(texts))]);
    expect(second).toEqual(first);
    expect(await renderer.render(batch(texts, { randomness: ofRun('run-2') }))).not.toEqual(first);
  });

  it('is ended when a batch takes too long, says at which line, and works on', async () => {
    const { worker: renderer, clock } = worker();
    const progress = new Int32Array(new SharedArrayBuffer(8));
    const endless = renderer.render(batch(['ok', ENDLESS], { budget: { steps: Number.MAX_SAFE_INTEGER } }), progress);
    while (clock.nextDueMs() === undefined || progress[1] === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(2_000);
    const results = await endless;
    expect(results[1]).toEqual({
      error: {
        failure: 'budget',
        place: { template: 't1.yaml', line: 2, column: expect.any(Number) },
        message: expect.stringMatching(/^template: t1\.yaml:2:\d+: took longer than 2000 ms$/),
      },
    });
    expect(results[0]).toEqual({
      error: expect.objectContaining({ message: expect.stringContaining('was not rendered') }),
    });
    expect(await renderer.render(batch(['{{ .Name }}']))).toEqual([{ text: 'demo', isRandom: false }]);
  });

  it('renders in this thread when no thread can start, and says so once', async () => {
    const { worker: renderer, warnings } = worker({ entry: pathToFileURL(join(folder, 'absent.mjs')) });
    expect(await renderer.render(batch(['{{ .Name }}']))).toEqual([{ text: 'demo', isRandom: false }]);
    expect(await renderer.render(batch(['{{ upper .Name }}']))).toEqual([{ text: 'DEMO', isRandom: false }]);
    expect(warnings).toEqual(['render.threadless']);
  });

  it('fails what waits when it is closed', async () => {
    const { worker: renderer } = worker();
    const pending = renderer.render(batch(['{{ .Name }}']));
    await renderer.close();
    expect(await pending).toEqual([{ error: expect.objectContaining({ failure: 'budget' }) }]);
    await expect(renderer.render(batch(['x']))).rejects.toThrow('Too many renderings');
  });
});
