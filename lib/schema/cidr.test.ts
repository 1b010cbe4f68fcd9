import { describe, expect, it } from 'vitest';
import { isStrictlyWithin } from './cidr';

describe('a network within another one', () => {
  it.each([
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.0.0.0/8', false],
    ['10.0.0.0/7', '10.0.0.0/8', false],
    ['11.1.0.0/16', '10.0.0.0/8', false],
    ['10.192.0.0/12', '10.128.0.0/9', true],
    ['10.64.0.0/12', '10.128.0.0/9', false],
    ['1.2.3.4/32', '0.0.0.0/0', true],
    ['2001:db8:1::/48', '2001:db8::/32', true],
    ['2001:db9:1::/48', '2001:db8::/32', false],
    ['10.1.0.0/16', '::/0', false],
  ])('%s in %s: %s', (inner, outer, expected) => {
    expect(isStrictlyWithin(inner, outer)).toBe(expected);
  });
});
