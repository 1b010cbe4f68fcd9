import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { readTemplate, renderTemplate, TemplateError } from './template';
import { BOMBS } from './testing/bombs';

const environment = { clock: { now: () => 0 }, random: seededRandom('bomb') };

/** Processor time, which other processes do not lengthen. */
const MAX_CPU_MS = 2_500;

function explode(text: string): unknown {
  try {
    renderTemplate(readTemplate('bomb.yaml', text, 'sprig3'), { Params: {} }, { environment });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a template that wants too much', () => {
  it('comes in at least forty kinds', () => {
    expect(BOMBS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(BOMBS.map((bomb) => [bomb.name, bomb] as const))(
    'ends in time with its line: %s',
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
