import { describe, expect, it } from 'vitest';
import { allowedHosts, isAllowedHost } from './host';

const allowed = allowedHosts({ host: '127.0.0.1', port: 3000 });

describe('isAllowedHost', () => {
  it.each(['localhost:3000', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000'])('admits %s', (host) => {
    expect(isAllowedHost(host, allowed)).toBe(true);
  });

  it.each([
    null,
    undefined,
    '',
    'localhost',
    'localhost:3001',
    'localhost:3000.evil.test',
    'evil.test:3000',
    'evil.test',
    '127.0.0.1.nip.io:3000',
    '2130706433:3000',
    '0.0.0.0:3000',
    'localhost:3000, evil.test',
    'localhost:3000@evil.test',
    'localhost.:3000',
    '::1:3000',
  ])('refuses %s', (host) => {
    expect(isAllowedHost(host, allowed)).toBe(false);
  });

  it('admits a name without a port on port 80, where browsers leave it out', () => {
    expect(isAllowedHost('localhost', allowedHosts({ host: '127.0.0.1', port: 80 }))).toBe(true);
  });
});
