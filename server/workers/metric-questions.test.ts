import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { MetricQuestions } from './metric-questions';
import type { PartCommand } from './part';

function start() {
  const clock = new VirtualClock();
  const sent: PartCommand[] = [];
  return { clock, sent, questions: new MetricQuestions(clock, (command) => sent.push(command)) };
}

const PROBLEM = { atMs: 1, part: 'controller', level: 'warn', event: 'cache.behind', text: '' } as const;

describe('MetricQuestions', () => {
  it('gives each answer to the one who asked', async () => {
    const { questions, sent } = start();
    const [first, second] = [questions.ask(), questions.ask()];
    expect(sent).toEqual([
      { type: 'metrics', number: 1 },
      { type: 'metrics', number: 2 },
    ]);
    questions.answer({ type: 'metrics', number: 2, values: [], problems: [] });
    questions.answer({ type: 'metrics', number: 1, values: [], problems: [PROBLEM] });
    expect(await first).toEqual({ values: [], problems: [PROBLEM] });
    expect(await second).toEqual({ values: [], problems: [] });
  });

  it('goes on without a part that does not answer within two seconds, and drops an answer that comes late', async () => {
    const { clock, questions } = start();
    const asked = questions.ask();
    await clock.advance(2_000);
    expect(await asked).toBeUndefined();
    expect(() => questions.answer({ type: 'metrics', number: 1, values: [], problems: [] })).not.toThrow();
  });
});
