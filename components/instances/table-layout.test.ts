import { describe, expect, it } from 'vitest';
import {
  DEFAULT_LAYOUT,
  formatLayout,
  moved,
  parseLayout,
  percentOf,
  resized,
  type TableLayout,
  withShown,
} from './table-layout';

const names = ({ columns }: TableLayout) =>
  columns.map(({ column, isShown }) => (isShown ? column : `-${column}`)).join(' ');
const share = ({ columns }: TableLayout, name: string) => columns.find(({ column }) => column === name)?.share;

describe('the layout of the table', () => {
  it('reads what it writes, and writes nothing for the default', () => {
    const changed = withShown(moved(resized(DEFAULT_LAYOUT, 'name', 40), 'plan', -1), 'namespace', false);
    expect(parseLayout(formatLayout(changed))).toEqual(changed);
    expect(names(changed)).toBe('status name -namespace plan operator age');
    expect(formatLayout(DEFAULT_LAYOUT)).toBeUndefined();
    expect(parseLayout(undefined)).toEqual(DEFAULT_LAYOUT);
  });

  it('ignores text that is not a layout', () => {
    expect(parseLayout('status:abc.nothing:10.<b>:1')).toEqual(DEFAULT_LAYOUT);
    // Neither without status or name, nor with the status elsewhere, nor wider than anything.
    const odd = parseLayout('age:9999.-name:200.-status:1');
    expect(names(odd)).toBe('status age name namespace operator plan');
    expect([share(odd, 'age'), share(odd, 'status')]).toEqual([900, 50]);
  });

  it('keeps the status first', () => {
    expect(moved(DEFAULT_LAYOUT, 'name', -1)).toEqual(DEFAULT_LAYOUT);
    expect(moved(DEFAULT_LAYOUT, 'status', 1)).toEqual(DEFAULT_LAYOUT);
    expect(names(moved(DEFAULT_LAYOUT, 'age', 1))).toBe(names(DEFAULT_LAYOUT));
  });

  it('takes the width of a column from the next shown one, down to a minimum', () => {
    const wide = resized(withShown(DEFAULT_LAYOUT, 'namespace', false), 'name', 1_000);
    expect([share(wide, 'name'), share(wide, 'operator'), share(wide, 'namespace')]).toEqual([300, 50, 120]);
    const narrow = resized(DEFAULT_LAYOUT, 'name', -1_000);
    expect([share(narrow, 'name'), share(narrow, 'namespace')]).toEqual([50, 260]);
    expect(resized(DEFAULT_LAYOUT, 'age', 20)).toEqual(DEFAULT_LAYOUT);
  });

  it('fills the width with the shown columns', () => {
    const layout = withShown(DEFAULT_LAYOUT, 'plan', false);
    const shown = layout.columns.filter(({ isShown }) => isShown);
    const sum = shown.reduce((total, { column }) => total + percentOf(layout, column), 0);
    expect(Math.round(sum)).toBe(100);
  });
});
