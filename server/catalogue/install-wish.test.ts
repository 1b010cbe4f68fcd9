import { describe, expect, it } from 'vitest';
import { parseInstallWish } from './install-wish';

const causesOf = (body: Parameters<typeof parseInstallWish>[0]): string[] => {
  try {
    parseInstallWish(body);
    return [];
  } catch (error) {
    return (error as { causes: { field: string }[] }).causes.map(({ field }) => field);
  }
};

describe('parseInstallWish', () => {
  it('accepts a namespace, a name and parameters', () => {
    const wish = { namespace: 'demo', instance: 'pg-1', parameters: { SIZE: '3', EMPTY: '' } };
    expect(parseInstallWish({ ...wish, more: true })).toEqual({
      ...wish,
      inline: false,
      skipCrds: false,
      adoptCrds: [],
    });
    expect(parseInstallWish({ ...wish, inline: true })).toEqual({
      ...wish,
      inline: true,
      skipCrds: false,
      adoptCrds: [],
    });
    expect(parseInstallWish({ namespace: 'demo', instance: 'pg' }).parameters).toEqual({});
  });

  it.each([
    [undefined, ['namespace', 'instance']],
    [[], ['namespace', 'instance']],
    [{ namespace: 'demo' }, ['instance']],
    [{ namespace: '../x', instance: 'pg' }, ['namespace']],
    [{ namespace: 'demo', instance: 'PG' }, ['instance']],
    [{ namespace: 'demo', instance: `a${'b'.repeat(63)}` }, ['instance']],
    [{ namespace: 'demo', instance: 'pg', parameters: { SIZE: 3 } }, ['SIZE']],
  ])('names the invalid fields of %j', (body, fields) => {
    expect(causesOf(body)).toEqual(fields);
  });
});
