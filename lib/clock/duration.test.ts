import { describe, expect, it } from 'vitest';
import { formatAge, formatElapsed } from './duration';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('formatAge', () => {
  it.each([
    [-5 * SECOND, '0 s'],
    [59.9 * SECOND, '59 s'],
    [MINUTE, '1 min'],
    [59 * MINUTE, '59 min'],
    [47 * HOUR, '47 h'],
    [48 * HOUR, '2 d'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });
});

describe('formatElapsed', () => {
  it.each([
    [400, '0 s'],
    [72 * SECOND, '1 min 12 s'],
    [2 * MINUTE, '2 min'],
    [61 * MINUTE, '1 h 1 min'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });
});
