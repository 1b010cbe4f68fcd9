import { describe, expect, it } from 'vitest';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import type { Plan } from '@/lib/kudo/types';
import { runGraph } from './run-graph';
import { treeLines } from './run-tree-lines';

const linesOf = (steps: number) => {
  const names = Array.from({ length: steps }, (_, index) => ({ name: `s${index}`, status: 'COMPLETE' as const }));
  return treeLines(
    testRun(1, { status: 'COMPLETE', phases: [{ name: 'one', steps: names }, { name: 'two' }] }),
    undefined,
  );
};
const plan: Plan = {
  strategy: 'serial',
  phases: [
    { name: 'one', strategy: 'parallel', steps: [] },
    { name: 'two', strategy: 'serial', steps: [] },
  ],
};

describe('the graph of a run', () => {
  it('has phases with their steps, and knows which run one after the other', () => {
    const { phases, isSerial } = runGraph(linesOf(2), plan);
    expect(isSerial).toBe(true);
    expect(phases.map(({ line, steps, isSerial: inOrder }) => [line.phase, steps.length, inOrder])).toEqual([
      ['one', 2, false],
      ['two', 0, true],
    ]);
  });

  it('knows no order without the version of the run', () => {
    expect(runGraph(linesOf(1), undefined)).toMatchObject({
      isSerial: undefined,
      phases: [{ isSerial: undefined }, {}],
    });
  });

  it('says how many steps of a long run it does not draw', () => {
    const [first] = runGraph(linesOf(260), plan).phases;
    expect(first).toMatchObject({ hidden: 60 });
    expect(first?.steps).toHaveLength(200);
  });
});
