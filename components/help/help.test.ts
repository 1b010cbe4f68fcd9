import { describe, expect, it } from 'vitest';
import { nouns } from './nouns';

describe('the glossary', () => {
  it('explains the twelve words of the product, one sentence or two each', () => {
    expect(nouns.map(([noun]) => noun)).toEqual([
      'Operator',
      'OperatorVersion',
      'Instance',
      'Parameter',
      'Plan',
      'Phase',
      'Step',
      'Task',
      'Run',
      'Package',
      'Repository',
      'Drift, self-heal',
    ]);
    for (const [, meaning] of nouns) expect(meaning).toMatch(/^[A-Z].{20,120}\.$/);
  });
});
