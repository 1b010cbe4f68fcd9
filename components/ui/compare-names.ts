/**
 * Compares names for people: `db-9` before `db-10`. One collator for all: `localeCompare` with options makes one a call, and sorting
 * ten thousand names takes a second then instead of 35 ms.
 */
export const compareNames: (a: string, b: string) => number = new Intl.Collator('en', { numeric: true }).compare;
