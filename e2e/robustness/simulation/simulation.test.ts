import { expect, it } from 'vitest';
import { startNode } from '@/test/programs/process';
import { simulate } from './simulate';

/** `npm run simulate -- --seeds 20000` runs more. */
const SEEDS = 500;

// With the command that users run: bundled code takes half the time of the test runner's modules.
it(`holds every invariant while 20 % of the requests fail and controllers die, seeds 1 to ${SEEDS}`, async () => {
  const command = startNode(['scripts/simulate.mjs', '--seeds', String(SEEDS)]);
  const { code } = await command.exited();
  const lines = command.output().trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('FAIL') || line.startsWith('replay'))).toEqual([]);
  expect(lines.at(-1)).toBe(`${SEEDS} passed, 0 failed`);
  expect(code).toBe(0);
}, 1_200_000);

it('runs the same twice for one seed, event by event', async () => {
  const first = await simulate('twice', { keepsTrace: true });
  const second = await simulate('twice', { keepsTrace: true });
  expect(second.trace).toEqual(first.trace);
  expect(second.digest).toBe(first.digest);
});
