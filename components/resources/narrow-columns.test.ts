import { describe, expect, it } from 'vitest';
import type { TableColumn } from '@/lib/kube/table';
import { narrowColumns } from './narrow-columns';

const columns = (...names: string[]): TableColumn[] =>
  names.map((name) => ({ name, type: name === 'Age' ? 'date' : 'string', description: '', priority: 0 }));

describe('a narrow window keeps', () => {
  it.each([
    ['a state rather than numbers', ['Name', 'Ready', 'Status', 'Restarts', 'Age'], ['Status']],
    ['how many are ready where nothing says more', ['Name', 'Ready', 'Available', 'Age'], ['Ready']],
    ['the age where nothing says a state', ['Name', 'Data', 'Age'], ['Age']],
    ['why and what of events', ['Last Seen', 'Type', 'Reason', 'Object', 'Message'], ['Reason', 'Message']],
  ])('%s', (_what, names, kept) => {
    expect([...narrowColumns(columns(...names))]).toEqual(kept);
  });
});
