import type { TableColumn } from '@/lib/kube/table';
import { isAge } from './table-rows';

const STATES: readonly string[] = ['Status', 'Phase', 'Ready', 'Reason', 'Message'];

/**
 * The names of the columns that a narrow window keeps beside the first one: what says the state (how many are ready only where
 * nothing says more); where no column does, the age.
 */
export function narrowColumns(columns: readonly TableColumn[]): ReadonlySet<string> {
  const states = columns.map(({ name }) => name).filter((name) => STATES.includes(name));
  if (states.length === 0) return new Set(columns.filter(isAge).map(({ name }) => name));
  const saysMore = states.some((name) => name === 'Status' || name === 'Phase');
  return new Set(states.filter((name) => name !== 'Ready' || !saysMore));
}
