import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress, parsePrefix } from './ip-address';

const shown = (text: string) => {
  const address = parseAddress(text);
  return typeof address === 'string' ? address : formatAddress(address);
};

describe('parseAddress', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['0:0:0:1::', '0:0:0:1::'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ])('reads %s as %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each(['', 'localhost', '010.0.0.1', '1.2.3', '256.1.1.1', '1::2::3', ':::', '1.2.3.4::', 'a:1.2.3.4::', '1:2'])(
    'refuses %j as Go does, with a message',
    (text) => {
      expect(parseAddress(text)).toMatch(/^ParseAddr\(/);
    },
  );
});

it('parsePrefix names the problem after the slash', () => {
  expect(parsePrefix('10.0.0.0/8')).toMatchObject({ bits: 8 });
  expect(parsePrefix('10.0.0.0/33')).toContain('prefix length out of range');
  expect(parsePrefix('10.0.0.0/08')).toContain('bad bits after slash: "08"');
});
