import { describe, expect, it } from 'vitest';
import { hasFormat, isIp } from './formats';

describe('formats', () => {
  it.each([
    [
      'date-time',
      ['2024-01-02T03:04:05Z', '2024-02-29T03:04:05.123+02:00'],
      ['yesterday', '2023-02-29T00:00:00Z', '2024-01-02'],
    ],
    ['date', ['2024-12-31'], ['2024-13-01', '2024-1-1']],
    ['duration', ['5m', '1h30m', '1.5s'], ['long', '', '5']],
    ['email', ['a@example.com'], ['nobody', 'a b@c']],
    ['hostname', ['a.example.com', 'localhost', 'ä☃'], ['-bad-', 'a..b', '', '1.2.3.4', '2020-01-01']],
    ['ipv4', ['192.0.2.1', '0.0.0.0'], ['300.1.1.1', '1.2.3', '01.2.3.4']],
    [
      'ipv6',
      ['2001:db8::1', '::', '::ffff:192.0.2.1', '1:2:3:4:5:6:7:8'],
      ['x', '1::2::3', '1:2:3:4:5:6:7', '12345::'],
    ],
    ['cidr', ['192.0.2.0/24', '2001:db8::/32'], ['192.0.2.0', '192.0.2.0/33', '10.0.0.0/08']],
    ['uri', ['https://example.com/x', '/path'], ['no scheme', 'x']],
    ['uuid', ['11111111-2222-3333-8444-555555555555'], ['x']],
    ['byte', ['YWJj'], ['*', 'YQ', '']],
    ['mac', ['01:02:03:04:05:06'], ['x']],
  ])('knows %s', (format, good, bad) => {
    for (const value of good) expect([value, hasFormat(format, value)]).toEqual([value, true]);
    for (const value of bad) expect([value, hasFormat(format, value)]).toEqual([value, false]);
  });

  it('takes everything for formats that nobody knows', () => {
    expect(hasFormat('made-up', 'x')).toBe(true);
    expect(hasFormat('constructor', 'x')).toBe(true);
  });

  it('tells addresses of both families', () => {
    expect([isIp('10.9.8.7'), isIp('::1'), isIp('localhost')]).toEqual([true, true, false]);
  });
});
