import { describe, expect, it } from 'vitest';
import { headState, RowSelection, surveySelection } from './row-selection';

const row = (uid: string) => ({ uid });
const rows = ['a', 'b', 'c', 'd', 'e'].map(row);
const [a, b, c, d, e] = rows as [{ uid: string }, { uid: string }, { uid: string }, { uid: string }, { uid: string }];
const uids = (selection: RowSelection<{ uid: string }>) =>
  selection
    .rows()
    .map(({ uid }) => uid)
    .sort()
    .join('');

describe('RowSelection', () => {
  it('selects a row and takes it out again', () => {
    const selection = new RowSelection<{ uid: string }>();
    selection.toggle(b);
    selection.toggle(d);
    expect(uids(selection)).toBe('bd');
    selection.toggle(b);
    expect(uids(selection)).toBe('d');
  });

  it('extends from the row that was toggled last, and a shorter range takes back what the longer one added', () => {
    const selection = new RowSelection<{ uid: string }>();
    selection.toggle(e);
    selection.toggle(b);
    selection.extend(rows, d);
    expect(uids(selection)).toBe('bcde');
    selection.extend(rows, c);
    expect(uids(selection)).toBe('bce');
    selection.extend(rows, a);
    expect(uids(selection)).toBe('abe');
  });

  it('keeps what was selected before a range went over it', () => {
    const selection = new RowSelection<{ uid: string }>();
    selection.toggle(c);
    selection.toggle(a);
    selection.extend(rows, d);
    selection.extend(rows, a);
    expect(uids(selection)).toBe('ac');
  });

  it('begins a range at the row itself when the anchor is not shown', () => {
    const selection = new RowSelection<{ uid: string }>();
    selection.extend(rows, c);
    selection.extend(rows, d);
    expect(uids(selection)).toBe('cd');
  });

  it('does not select a row whose uid is not known', () => {
    const selection = new RowSelection<{ uid: string }>();
    selection.toggle(row(''));
    selection.add([row(''), a]);
    expect(uids(selection)).toBe('a');
  });

  it('tells its listeners of each change, and of no clear of an empty selection', () => {
    const selection = new RowSelection<{ uid: string }>();
    let told = 0;
    const stop = selection.subscribe(() => told++);
    selection.add(rows);
    selection.clear();
    selection.clear();
    expect(told).toBe(2);
    stop();
    selection.toggle(a);
    expect(told).toBe(2);
  });
});

describe('surveySelection', () => {
  it('says which selected rows the filter hides and which the list has lost', () => {
    const selection = new RowSelection<{ uid: string }>();
    selection.add([a, b, c]);
    const survey = surveySelection(selection, [b, c, d], [c, d]);
    expect(survey).toEqual({ present: [b, c], hidden: 1, vanished: [a] });
  });

  it('counts another object of the same name as another one', () => {
    const selection = new RowSelection<{ uid: string; name: string }>();
    selection.toggle({ uid: 'old', name: 'web' });
    const made = { uid: 'new', name: 'web' };
    expect(surveySelection(selection, [made], [made])).toMatchObject({ present: [], vanished: [{ uid: 'old' }] });
  });
});

describe('headState', () => {
  it('is all only when every shown row is selected', () => {
    const selection = new RowSelection<{ uid: string }>();
    expect(headState(selection, rows)).toBe('none');
    selection.toggle(a);
    expect(headState(selection, rows)).toBe('some');
    expect(headState(selection, [a, row('')])).toBe('some');
    selection.add(rows);
    expect(headState(selection, [...rows, row('')].slice(0, 5))).toBe('all');
  });
});
