import { parentPort } from 'node:worker_threads';
import { renderBatch } from './render-batch';
import type { RenderCommand, RenderMessage } from './render-worker-protocol';

// The thread that renders templates of packages: it may be ended at any moment, so it holds nothing.
parentPort?.on('message', ({ batch, progress }: RenderCommand) => {
  parentPort?.postMessage({ type: 'started' } satisfies RenderMessage);
  const results = renderBatch(batch, new Int32Array(progress));
  parentPort?.postMessage({ type: 'done', results } satisfies RenderMessage);
});
