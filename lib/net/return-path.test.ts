import { describe, expect, it } from 'vitest';
import { returnPath } from './return-path';

describe('returnPath', () => {
  it.each(['/', '/instances/demo/postgres', '/runs?plan=backup&x=%2F#end', '/sign-in/done'])('keeps %s', (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    'https://evil.test',
    'https:evil.test',
    'javascript:alert(1)',
    '/\t/evil.test',
    '/\n/evil.test',
    '/.//evil.test',
    '/x/..//evil.test',
    'evil.test',
    '',
    undefined,
    null,
    '/sign-in',
    '/sign-in?to=/x',
    '/api/auth/sign-out',
    `/${'a'.repeat(3000)}`,
  ])('leads to the first page instead of %j', (path) => {
    expect(returnPath(path)).toBe('/');
  });
});
