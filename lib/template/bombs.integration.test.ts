import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { readTemplate, renderTemplate, TemplateError } from './template';
import { BOMBS } from './testing/bombs';

const environment = { clock: { now: () => 0 }, random: seededRandom('bomb') };

/** Processor time. The slowest variants take 1.2 s of it, and twice that where other processes use the same caches; without a budget all take minutes. */
const MAX_CPU_MS = 5_000;

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
