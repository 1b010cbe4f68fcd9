import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isProcessGone, processIdentity } from './process-identity';

describe('isProcessGone', () => {
  it.each([
    ['this very process', processIdentity(), false],
    ['a later process of the same number', `${hostname()}/${process.pid}/1`, process.platform === 'linux'],
    ['a number that no process has', `${hostname()}/4194305/7`, true],
    ['a process of another machine', 'elsewhere/4194305/7', false],
    ['the worker beside a console that runs', `${hostname()}-${process.pid}`, false],
    ['the worker beside a console that was killed', `${hostname()}-4194305`, true],
    ['a text that names no process', 'test', false],
  ])('judges %s', (_who, identity, expected) => {
    expect(isProcessGone(identity)).toBe(expected);
  });
});
