/**
 * Compares names with their numbers: `db-9` before `db-10`. It uses one collator, because `localeCompare` with options creates one
 * for each call: sorting ten thousand names then takes a second instead of 35 ms.
 */
export const compareNames: (a: string, b: string) => number = new Intl.Collator('en', { numeric: true }).compare;
