import { describe, expect, it } from 'vitest';
import { customPrinter } from './custom-printer';
import { humanDuration } from './human-duration';
import { findByPath } from './json-path';

describe('time spans', () => {
  it.each([
    [-5_000, '<invalid>'],
    [-500, '0s'],
    [119_000, '119s'],
    [125_000, '2m5s'],
    [600_000, '10m'],
    [3 * 3600_000, '3h'],
    [7 * 3600_000 + 60_000, '7h1m'],
    [47 * 3600_000, '47h'],
    [50 * 3600_000, '2d2h'],
    [400 * 86_400_000, '400d'],
    [900 * 86_400_000, '2y170d'],
  ])('%i ms is %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});

describe('JSONPath of printer columns', () => {
  const object = {
    spec: { 'a.b': 1, list: [{ n: 'x' }, { n: 'y' }] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Old', status: 'False' },
      ],
    },
  };

  it.each([
    ['.spec.list[0].n', ['x']],
    ['.spec.list[-1].n', ['y']],
    ['.spec.list[*].n', ['x', 'y']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".spec['a.b']", [1]],
    ['.spec.a\\.b', [1]],
    ['.spec.none.deeper', []],
    ['.spec.constructor', []],
    ['.spec.list[', []],
  ])('%s', (path, found) => {
    expect(findByPath(object, path)).toEqual(found);
  });
});

describe('columns of a definition', () => {
  it('show Name and Age when none is given', () => {
    expect(customPrinter([]).columns.map((column) => column.name)).toEqual(['Name', 'Age']);
  });

  it('leave a cell empty when the value has another type', () => {
    const printer = customPrinter([{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }]);
    const object = { apiVersion: 'e/v1', kind: 'W', metadata: { name: 'a' }, spec: { size: 'three' } };
    expect(printer.row(object, 0).cells).toEqual(['a', null]);
  });
});
