import { expect, test } from 'vitest';
import { editsSince, parseUnsavedEdits, type UnsavedEdits, withUnsavedEdits } from './unsaved-edits';

const stored = new Map([
  ['operator.yaml', 'name: hello'],
  ['params.yaml', 'parameters: []'],
]);
const draft = { account: 'anna', files: stored, revision: 4 };

function left(files: UnsavedEdits['files'], change: Partial<UnsavedEdits> = {}): UnsavedEdits {
  return { account: 'anna', tab: 'a', revision: 4, files, ...change };
}

test('what a tab leaves are the files that differ from the stored ones, deleted files too', () => {
  const now = new Map([
    ['operator.yaml', 'name: hello-mine'],
    ['new.yaml', ''],
  ]);
  expect(editsSince(now, [stored])).toEqual({
    'operator.yaml': 'name: hello-mine',
    'params.yaml': null,
    'new.yaml': '',
  });
  expect(editsSince(stored, [stored])).toEqual({});
});

test('a file that a running write may store is among them, although it is again as it was', () => {
  const running = new Map([...stored, ['operator.yaml', 'name: hello-m']]);
  expect(editsSince(stored, [stored, running])).toEqual({ 'operator.yaml': 'name: hello' });
});

test('the edits are taken over by the revision they were made on', () => {
  const taken = withUnsavedEdits(draft, left({ 'operator.yaml': 'name: hello-mine', 'params.yaml': null }));
  expect(taken).toEqual({ files: new Map([['operator.yaml', 'name: hello-mine']]), isConflict: false });
});

test('the write that ran when the tab was left is no conflict, one of another tab is', () => {
  const edits = left({ 'operator.yaml': 'name: hello-mine' });
  expect(withUnsavedEdits({ ...draft, revision: 5, savedBy: 'a' }, edits)?.isConflict).toBe(false);
  expect(withUnsavedEdits({ ...draft, revision: 5, savedBy: 'b' }, edits)?.isConflict).toBe(true);
  expect(withUnsavedEdits({ ...draft, revision: 6, savedBy: 'a' }, edits)?.isConflict).toBe(true);
});

test('nothing is taken over when all of it was stored, or when it belongs to another account', () => {
  expect(withUnsavedEdits(draft, undefined)).toBeUndefined();
  expect(withUnsavedEdits(draft, left({ 'operator.yaml': 'name: hello', 'gone.yaml': null }))).toBeUndefined();
  expect(withUnsavedEdits(draft, left({ 'operator.yaml': 'name: x' }, { account: 'ben' }))).toBeUndefined();
});

test('stored text that is none of ours is no edit', () => {
  const edits = left({ 'a.yaml': 'a', 'b.yaml': null });
  expect(parseUnsavedEdits(JSON.stringify(edits))).toEqual(edits);
  for (const text of [null, '', '{', '[]', '{"account":"anna"}', JSON.stringify({ ...edits, files: { a: 1 } })]) {
    expect(parseUnsavedEdits(text)).toBeUndefined();
  }
});
