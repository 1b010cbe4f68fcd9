import { expect, it } from 'vitest';
import { readLogLevel } from './log-level';

it('BRAVO_LOG sets the level, and a text that is no level leaves the default', () => {
  expect(readLogLevel('silent', 'info')).toBe('silent');
  expect(readLogLevel('warn', 'info')).toBe('warn');
  expect(readLogLevel(undefined, 'info')).toBe('info');
  expect(readLogLevel('', 'warn')).toBe('warn');
  expect(readLogLevel('loud', 'warn')).toBe('warn');
});
