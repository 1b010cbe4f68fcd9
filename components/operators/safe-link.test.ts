import { describe, expect, it } from 'vitest';
import { safeUrl } from './safe-link';

describe('safeUrl', () => {
  it('takes addresses of the web', () => {
    expect(safeUrl('https://example.test/a?b#c')).toBe('https://example.test/a?b#c');
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'https://user:word@example.test',
    '//example.test',
    'example.test',
    '',
  ])('refuses %j', (text) => {
    expect(safeUrl(text)).toBeUndefined();
  });
});
