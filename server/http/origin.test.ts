import { describe, expect, it } from 'vitest';
import { originRefusal } from './origin';

const host = 'localhost:3000';
const own = 'http://localhost:3000';

/** method, Origin, Sec-Fetch-Site, whether it passes. */
const matrix: readonly [string, string | null, string | null, boolean][] = [
  ['GET', null, null, true],
  ['GET', null, 'none', true],
  ['GET', null, 'same-origin', true],
  ['GET', own, 'same-origin', true],
  ['GET', null, 'same-site', false],
  ['GET', null, 'cross-site', false],
  ['GET', 'http://evil.test', null, false],
  ['GET', 'null', null, false],
  ['HEAD', null, null, true],
  ['HEAD', null, 'cross-site', false],
  ...['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method): [string, string | null, string | null, boolean][] => [
    [method, null, null, false],
    [method, null, 'none', false],
    [method, null, 'same-origin', true],
    [method, own, null, true],
    [method, own, 'same-origin', true],
    [method, own, 'cross-site', false],
    [method, own, 'same-site', false],
    [method, 'http://localhost:3001', null, false],
    [method, 'http://127.0.0.1:3000', null, false],
    [method, 'http://evil.test', 'same-origin', false],
    [method, 'null', 'same-origin', false],
    [method, '', null, false],
    [method, `${own}.evil.test`, null, false],
    [method, `${own}/`, null, false],
    [method, 'file://', null, false],
  ]),
];

describe('refusalOf', () => {
  it.each(matrix)('%s with Origin %s and Sec-Fetch-Site %s passes: %s', (method, origin, fetchSite, passes) => {
    expect(originRefusal({ method, host, origin, fetchSite }) === undefined).toBe(passes);
  });

  it('refuses every foreign origin when there is no Host', () => {
    expect(originRefusal({ method: 'GET', host: null, origin: own, fetchSite: null })).toBeDefined();
  });
});
