import { describe, expect, it } from 'vitest';
import { afterValue } from './use-typed-text';

describe('the text of a field whose value comes back late', () => {
  const typed = { text: 'oper', seen: '', pending: ['o', 'op', 'ope', 'oper'] };

  it('stays while what was reported comes back, also when some of it never does', () => {
    const once = afterValue(typed, 'op');
    expect(once).toEqual({ text: 'oper', seen: 'op', pending: ['ope', 'oper'] });
    expect(afterValue(once, 'oper')).toEqual({ text: 'oper', seen: 'oper', pending: [] });
  });

  it('is the value that comes from elsewhere', () => {
    expect(afterValue(typed, 'status:failed')).toEqual({ text: 'status:failed', seen: 'status:failed', pending: [] });
  });
});
