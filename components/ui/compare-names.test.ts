import { expect, it } from 'vitest';
import { compareNames } from './compare-names';

it('sorts numbers in names by their value', () => {
  expect(['db-10', 'db-9', 'db', 'da-11'].sort(compareNames)).toEqual(['da-11', 'db', 'db-9', 'db-10']);
});
