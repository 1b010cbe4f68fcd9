import { describe, expect, it } from 'vitest';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { hasMark, restoreSecrets } from './secret-mask';

describe('restoreSecrets', () => {
  it('puts masked values back and keeps what was changed', () => {
    const stored = { data: { a: 'AAAA', b: 'BBBB', gone: 'CCCC' } };
    const edited = { data: { a: SECRET_MARK, b: 'new', added: 'x' } };
    expect(restoreSecrets(edited, stored)).toEqual({ value: { data: { a: 'AAAA', b: 'new', added: 'x' } }, lost: [] });
  });

  it('names a mark that was moved to where nothing is stored', () => {
    expect(restoreSecrets({ data: { renamed: SECRET_MARK } }, { data: { a: 'AAAA' } }).lost).toEqual(['data.renamed']);
  });

  it('does not take inherited members for stored values', () => {
    expect(restoreSecrets({ toString: SECRET_MARK }, {}).lost).toEqual(['toString']);
  });
});

describe('hasMark', () => {
  it('finds a mark at any depth', () => {
    expect(hasMark({ a: [{ b: SECRET_MARK }] })).toBe(true);
    expect(hasMark({ a: ['no'] })).toBe(false);
  });
});
