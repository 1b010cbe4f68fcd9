import { describe, expect, it } from 'vitest';
import type { StatusKey } from '@/components/ui/status-words';
import { BATCH, batchesOf, withDrift } from './drift-marks';
import { countGroups, sortRows } from './instance-filter';
import { instanceRow } from './instance-row';

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

  it('is sorted by: after what is not ready, before what runs and what is well', () => {
    const names = sortRows(marked, { sort: 'status', descending: false }).map(({ name }) => name);
    expect(names).toEqual(['sick', 'moved', 'runs', 'calm']);
  });

  it('is counted apart', () => {
    expect(countGroups(marked)).toEqual([
      ['running', 1],
      ['not-ready', 1],
      ['drifted', 1],
      ['healthy', 1],
    ]);
  });
});
