import { expect, it } from 'vitest';
import { compareNames } from './compare-names';

it('puts the numbers in names in the order of their size', () => {
  expect(['db-10', 'db-9', 'db', 'da-11'].sort(compareNames)).toEqual(['da-11', 'db', 'db-9', 'db-10']);
});
