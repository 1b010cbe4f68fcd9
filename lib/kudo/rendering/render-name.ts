import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { parseTemplate, renderTemplate, TemplateError } from '@/lib/template/template';
import { RenderError } from './render-error';
import { unwrapParameters } from './unwrap';
import { baseVariables } from './variables';

/** No clock and no random bytes: a name is the same each time. */
const ENVIRONMENT = {
  clock: { now: () => 0 },
  random: keyStream(new Uint8Array(STREAM_KEY_BYTES), 'names'),
  hasDraftKeys: true,
};

const NAME = /^[a-zA-Z0-9]([a-zA-Z0-9.:_-]{0,251}[a-zA-Z0-9])?$/;

/** What the variables of a name come from. */
export interface NameContext {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
}

/**
 * The name of an object that a template gives, which sees what templates of objects see.
 *
 * @param place for the sentence, e.g. `the name of Service "db"`
 * @returns the name, or a sentence that says why there is none
 */
export function renderName(
  place: string,
  text: string,
  { instance, operatorVersion }: NameContext,
): string | { readonly problem: string } {
  try {
    const parameters = unwrapParameters(operatorVersion, instance.spec?.parameters);
    const values = baseVariables(instance, operatorVersion, parameters);
    const name = renderTemplate(parseTemplate('name', text), values, { environment: ENVIRONMENT }).trim();
    return NAME.test(name) ? name : { problem: `${place} is no name: "${name.slice(0, 80)}"` };
  } catch (error) {
    if (error instanceof TemplateError) return { problem: `${place} cannot be rendered: ${error.goMessage}` };
    if (error instanceof RenderError) return { problem: `${place} cannot be rendered: ${error.message}` };
    throw error;
  }
}
