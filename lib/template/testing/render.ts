import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import type { RenderOptions } from '../contract';
import { parseTemplate, renderTemplate, TemplateError } from '../template';

/** 2023-11-14T22:13:20Z. */
export const TEST_NOW_MS = 1_700_000_000_000;

/** Renders a text as the template `t`, for tests. */
export function renderTemplateText(text: string, values: unknown = {}, options: Partial<RenderOptions> = {}): string {
  const environment = { clock: new VirtualClock(TEST_NOW_MS), random: seededRandom('test') };
  return renderTemplate(parseTemplate('t', text, options.compatibility), values, { environment, ...options });
}

/** The error of a text that cannot be rendered. */
export function renderError(text: string, values: unknown = {}, options: Partial<RenderOptions> = {}): TemplateError {
  try {
    renderTemplateText(text, values, options);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error(`${text} was rendered`);
}
