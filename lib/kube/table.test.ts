import { describe, expect, it } from 'vitest';
import { cellText, parseTable } from './table';

describe('parseTable', () => {
  it('reads columns, cells and which object each row is', () => {
    const table = parseTable({
      kind: 'Table',
      metadata: { resourceVersion: '7', continue: '' },
      columnDefinitions: [
        { name: 'Name', type: 'string', priority: 0 },
        { name: 'IP', type: 'string', priority: 1 },
      ],
      rows: [
        { cells: ['a', null], object: { metadata: { name: 'a', namespace: 'demo', uid: 'u', resourceVersion: '3' } } },
      ],
    });
    expect(table?.columns.map(({ name, priority }) => [name, priority])).toEqual([
      ['Name', 0],
      ['IP', 1],
    ]);
    expect(table?.rows[0]).toMatchObject({ name: 'a', namespace: 'demo', resourceVersion: '3', isDeleting: false });
    expect(table?.next).toBeUndefined();
  });

  it.each([undefined, null, [], { kind: 'PodList', items: [] }])('gives undefined for %j', (value) => {
    expect(parseTable(value)).toBeUndefined();
  });
});

describe('cellText', () => {
  it('prints texts as they are and everything else as JSON', () => {
    expect([cellText('x'), cellText(3), cellText(true), cellText(null), cellText(undefined), cellText(['a'])]).toEqual([
      'x',
      '3',
      'true',
      '',
      '',
      '["a"]',
    ]);
  });
});
