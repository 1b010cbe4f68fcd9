import { describe, expect, it } from 'vitest';
import { compareSemver, parseLooseSemver, type Semver } from './semver';

function read(text: string): Semver {
  const version = parseLooseSemver(text);
  if (typeof version === 'string') throw new Error(`${text}: ${version}`);
  return version;
}

describe('compareSemver', () => {
  it('orders as semver.org §11 does', () => {
    const ordered = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.10.0',
      '2',
    ];
    const shuffled = [...ordered].reverse();
    expect(shuffled.sort((a, b) => compareSemver(read(a), read(b)))).toEqual(ordered);
  });

  it('ignores metadata', () => {
    expect(compareSemver(read('1.0.0+a'), read('v1.0+b'))).toBe(0);
  });
});

describe('parseLooseSemver', () => {
  it.each([
    ['', 'Invalid Semantic Version'],
    ['1.2.3.4', 'Invalid Semantic Version'],
    ['1.2.3-01', 'Version segment starts with 0'],
    ['18446744073709551616', 'parsing "18446744073709551616": value out of range'],
  ])('refuses %j with the message of Masterminds/semver', (text, message) => {
    expect(parseLooseSemver(text)).toContain(message);
  });

  it('accepts the versions of Sprig 2.22, and no number of more than 31 bits', () => {
    expect(parseLooseSemver('1.2.3-01', 'v1')).toMatchObject({ prerelease: '01' });
    expect(parseLooseSemver('2147483648', 'v1')).toContain('strconv.ParseInt');
  });
});
