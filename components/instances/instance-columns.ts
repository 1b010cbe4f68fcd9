import type { SortColumn } from './instance-filter';

export const columnLabels: { readonly [column in SortColumn]: string } = {
  status: 'Status',
  name: 'Name',
  namespace: 'Namespace',
  operator: 'Operator',
  plan: 'Active plan',
  age: 'Age',
};

/** On narrow screens the cell of the name shows what hidden columns have. */
export const columnClasses: { readonly [column in SortColumn]: string | undefined } = {
  status: undefined,
  name: undefined,
  namespace: 'max-md:hidden',
  operator: 'max-sm:hidden',
  plan: 'max-sm:hidden',
  age: 'num max-sm:hidden',
};
