import { describe, expect, it } from 'vitest';
import { canonicalQuantity, compareQuantities, parseQuantity } from './quantity';

describe('quantity', () => {
  it.each([
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['0.5Ki', '512'],
    ['1000k', '1M'],
    ['1500m', '1500m'],
    ['1e3', '1e3'],
    ['1E4', '10e3'],
    ['12E', '12E'],
    ['.5', '500m'],
    ['5.', '5'],
    ['-100m', '-100m'],
    ['0', '0'],
    ['0.0000000001', '1n'],
    ['100', '100'],
  ])('writes %s as %s', (text, wanted) => {
    expect(canonicalQuantity(text)).toBe(wanted);
  });

  it('takes numbers', () => {
    expect(canonicalQuantity(1)).toBe('1');
    expect(canonicalQuantity(0.1)).toBe('100m');
  });

  it.each(['', 'x', '1x', '1KI', '1 Gi', '1e', '.', '1m5', '--1'])('refuses %j', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it('does not read texts without end', () => {
    expect(parseQuantity(`${'1'.repeat(3_000_000)}x`)).toBeUndefined();
  });

  it('compares across suffixes', () => {
    expect(compareQuantities('1Gi', '1024Mi')).toBe(0);
    expect(compareQuantities('1', '1001m')).toBe(-1);
    expect(compareQuantities('1G', '900M')).toBe(1);
  });
});
