import { expect, it } from 'vitest';
import { statusOfCell } from './cell-status';

it.each([
  ['Available', 'True', 'healthy'],
  ['Available', 'False (FailedDiscoveryCheck)', 'waiting'],
  ['Available', 'False (MissingEndpoints)', 'waiting'],
  ['Available', '3', undefined],
  ['Status', 'Running', 'healthy'],
  ['Status', 'ErrImagePull', 'FATAL_ERROR'],
  ['Name', 'Running', undefined],
])('a cell %s with %s has status %s', (column, text, status) => {
  expect(statusOfCell(column, text)).toBe(status);
});
