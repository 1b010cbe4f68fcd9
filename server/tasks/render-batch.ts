import { parseTemplate, renderTemplate, TemplateError } from '@/lib/template/template';
import { primeKeys } from './prime-keys';
import { randomFrom } from './randomness';
import type { RenderBatch, RenderResult } from './render-worker-protocol';

/** Renders the texts of a batch in order, in this thread. @param progress index of the template, and where it is */
export function renderBatch(batch: RenderBatch, progress: Int32Array = new Int32Array(2)): RenderResult[] {
  const random = randomFrom(batch.randomness);
  const environment = {
    clock: { now: () => batch.nowMs },
    random,
    hasDraftKeys: batch.hasDraftKeys === true,
    primeKeys,
  };
  return batch.templates.map(({ name, text: source }, index): RenderResult => {
    progress[0] = index;
    try {
      const template = parseTemplate(name, source, batch.compatibility ?? 'sprig3');
      const options = {
        environment,
        progress: progress.subarray(1),
        compatibility: batch.compatibility ?? 'sprig3',
        ...(batch.budget === undefined ? {} : { budget: batch.budget }),
      } as const;
      const text = renderTemplate(template, batch.values, options);
      return { text, isRandom: random.wasAsked() };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return { error: { failure: error.failure, place: error.place, message: error.goMessage } };
    }
  });
}
