import { describe, expect, it } from 'vitest';
import { BATCH, batchesOf, withDrift } from './drift-marks';
import { instanceRow } from './instance-row';
import type { StatusKey } from './status-words';

const row = (name: string, key: StatusKey = 'healthy') => ({
  ...instanceRow(
    { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name, namespace: 'demo', resourceVersion: '7' } },
    new Map(),
    false,
  ),
  state: { key, word: '', reason: '', detail: '' },
});

describe('batchesOf', () => {
  it('names what is well, with its version', () => {
    expect(batchesOf([row('b'), row('c', 'IN_PROGRESS'), row('a')])).toEqual(['demo/a@7 demo/b@7']);
  });

  it('leaves a batch as it is when a row of another one begins a plan', () => {
    const names = Array.from({ length: BATCH + 1 }, (_, at) => `n${String(at).padStart(3, '0')}`);
    const before = batchesOf(names.map((name) => row(name)));
    const after = batchesOf(names.map((name) => row(name, name === 'n001' ? 'IN_PROGRESS' : 'healthy')));
    expect(before).toHaveLength(2);
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });
});

describe('withDrift', () => {
  const rows = [row('calm'), row('moved'), row('runs', 'IN_PROGRESS'), row('sick', 'unhealthy')];
  const marked = withDrift(rows, { 'demo/moved': 2, 'demo/runs': 1 });

  it('gives what is well otherwise a state of its own, and leaves the rest as it is', () => {
    expect(marked.map(({ state }) => state.key)).toEqual(['healthy', 'drifted', 'IN_PROGRESS', 'unhealthy']);
    expect(marked[0]).toBe(rows[0]);
  });
});
