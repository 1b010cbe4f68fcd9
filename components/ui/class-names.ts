import clsx, { type ClassValue } from 'clsx';

/** Joins class names; falsy ones drop out. */
export function classNames(...values: ClassValue[]): string {
  return clsx(values);
}
