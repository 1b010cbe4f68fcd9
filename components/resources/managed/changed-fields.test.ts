import { describe, expect, it } from 'vitest';
import { changedFields } from './changed-fields';

const paths = (before: object, after: object) =>
  changedFields(JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after))).map(({ path }) => path);

describe('the fields that an edit changes', () => {
  it('are named by their paths', () => {
    const before = { spec: { replicas: 1, ports: [{ port: 80 }, { port: 81 }], paused: true } };
    const after = { spec: { replicas: 2, ports: [{ port: 80 }, { port: 82 }], selector: { a: 'b' } } };
    expect(paths(before, after)).toEqual(['spec.replicas', 'spec.ports[1].port', 'spec.paused', 'spec.selector']);
  });

  it('are a whole list when its length changes, and none when nothing differs', () => {
    expect(paths({ args: ['a'] }, { args: ['a', 'b'] })).toEqual(['args']);
    expect(paths({ a: { b: 1 } }, { a: { b: 1 } })).toEqual([]);
  });
});
