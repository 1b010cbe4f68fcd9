import { renderBatch } from './render-batch';
import type { RenderBatch, RenderResult } from './render-worker-protocol';

/** Renders the texts of a batch; never throws for what is wrong with a template. */
export type TextRenderer = (batch: RenderBatch) => Promise<readonly RenderResult[]>;

/** What nearly every template of a package stays below; rendering it takes about a millisecond. */
const SMALL_BUDGET = { steps: 20_000, outputBytes: 256 * 1024 } as const;

/** Functions whose cost the budget of steps does not show: keys and certificates. */
const COSTLY = /gen(PrivateKey|CA|SelfSignedCert|SignedCert)|derivePassword|encryptAES|decryptAES|htpasswd|bcrypt/;

/**
 * Small templates are rendered at once in this thread, within a small budget; what turns out to be larger, and what makes
 * keys, goes to the worker, where two seconds are the most it can take from anybody. The same
 * source of random bytes gives the same text in both.
 */
export function createTextRenderer(worker: {
  render(batch: RenderBatch): Promise<readonly RenderResult[]>;
}): TextRenderer {
  return async (batch) => {
    if (batch.templates.some(({ text }) => COSTLY.test(text))) return worker.render(batch);
    const small = renderBatch({ ...batch, budget: SMALL_BUDGET });
    const isTooLarge = small.some((result) => 'error' in result && result.error.failure === 'budget');
    return isTooLarge ? worker.render(batch) : small;
  };
}

/** Everything in this thread, for tests and the simulator. */
export const renderInThread: TextRenderer = async (batch) => renderBatch(batch);
