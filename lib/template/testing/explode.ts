import { seededRandom } from '@/lib/random/random';
import { readTemplate, renderTemplate, TemplateError } from '../template';
import { BOMBS } from './bombs';

/**
 * Sets off bombs one after the other and gives the names of those that did not end in a TemplateError. Meant for a process with
 * little memory: one that takes more dies.
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
