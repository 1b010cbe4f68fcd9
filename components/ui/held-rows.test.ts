import { describe, expect, it } from 'vitest';
import { heldRows } from './held-rows';

const row = (key: string, word = '') => ({ key, word });

describe('rows of a list that is held', () => {
  it('are the current rows while the list is not held', () => {
    const rows = [row('b'), row('a')];
    expect(heldRows(rows, undefined)).toEqual({ shown: rows, waiting: 0, gone: new Set() });
  });

  it('keep their places and show their current content', () => {
    const held = [row('a'), row('b'), row('c')];
    const now = [row('c', 'failed'), row('a'), row('b', 'done')];
    expect(heldRows(now, held).shown).toEqual([row('a'), row('b', 'done'), row('c', 'failed')]);
  });

  it('count new rows, which wait', () => {
    const held = [row('b')];
    expect(heldRows([row('a'), row('b'), row('c')], held)).toEqual({ shown: [row('b')], waiting: 2, gone: new Set() });
  });

  it('stay when they were deleted, and are marked', () => {
    const held = [row('a'), row('b')];
    expect(heldRows([row('b'), row('c')], held)).toEqual({ shown: held, waiting: 1, gone: new Set(['a']) });
  });

  it('are the same list again when nothing changed', () => {
    const rows = [row('a')];
    expect(heldRows(rows, rows).shown).toBe(rows);
  });
});
