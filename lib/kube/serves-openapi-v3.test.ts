import { describe, expect, it } from 'vitest';
import { servesOpenApiV3 } from './serves-openapi-v3';

describe('whether a server has /openapi/v3', () => {
  it.each([
    ['1', '20', false],
    ['1', '23+', false],
    ['1', '24', true],
    ['1', '36', true],
    ['2', '0', true],
  ])('version %s.%s: %s', (major, minor, is) => {
    expect(servesOpenApiV3({ major, minor })).toBe(is);
  });

  it('takes an answer without a version for a new server', () => {
    expect(servesOpenApiV3({})).toBe(true);
    expect(servesOpenApiV3({ major: '1', minor: 'next' })).toBe(true);
  });
});
