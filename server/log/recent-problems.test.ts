import { expect, it } from 'vitest';
import { recentProblems, rememberProblem } from './recent-problems';

const about = (event: string) => ({ atMs: 1, part: 'test', level: 'warn', event }) as const;

it('keeps the last fifty, newest first', () => {
  for (let number = 1; number <= 60; number++) rememberProblem(about(`event.${number}`), {});
  expect(recentProblems()).toHaveLength(50);
  expect(recentProblems()[0]?.event).toBe('event.60');
});

it('shows only fields that say what happened, in one short line', () => {
  rememberProblem(about('x'), {
    key: 'demo/db',
    problem: 'a\nb',
    authorization: 'Bearer 1234',
    body: 'password: x',
    problems: 3,
  });
  expect(recentProblems()[0]?.text).toBe('key=demo/db problem=a b');
  rememberProblem(about('y'), { problem: 'z'.repeat(1_000) });
  expect(recentProblems()[0]?.text).toHaveLength(300);
});
