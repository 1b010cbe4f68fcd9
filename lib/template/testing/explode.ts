import { seededRandom } from '@/lib/random/random';
import { readTemplate, renderTemplate, TemplateError } from '../template';
import { BOMBS } from './bombs';

/**
 * Renders the bombs one after the other and returns the names of those that did not end in a TemplateError. Runs in a process with
 * little memory, which crashes if a bomb uses more.
 */
export function explodeAll(): string[] {
  const environment = { clock: { now: () => 0 }, random: seededRandom('bomb') };
  return BOMBS.flatMap(({ name, text }) => {
    try {
      renderTemplate(readTemplate('bomb.yaml', text, 'sprig3'), { Params: {} }, { environment });
      return [name];
    } catch (error) {
      return error instanceof TemplateError ? [] : [name];
    }
  });
}
