import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { readTemplate, renderTemplate, TemplateError } from './template';
import { BOMBS } from './testing/bombs';

const environment = { clock: { now: () => 0 }, random: seededRandom('bomb') };

/** Processor time, which does not depend on other processes. */
const MAX_CPU_MS = 2_500;

function explode(text: string): unknown {
  try {
    renderTemplate(readTemplate('bomb.yaml', text, 'sprig3'), { Params: {} }, { environment });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a template that exceeds its budget', () => {
  it('has at least forty variants', () => {
    expect(BOMBS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(BOMBS.map((bomb) => [bomb.name, bomb] as const))(
    'fails in time and names the line: %s',
    (_, bomb) => {
      const before = process.cpuUsage();
      const error = explode(bomb.text);
      const { user, system } = process.cpuUsage(before);
      expect(error).toBeInstanceOf(TemplateError);
      expect(error).toMatchObject({ place: { template: 'bomb.yaml', line: bomb.line } });
      expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS);
    },
    20_000,
  );
});
