import { expect, it } from 'vitest';
import { splitClusterWords } from './cluster-words';

it('takes the clusters out of the words of a filter', () => {
  expect(splitClusterWords(' post  Cluster:Staging status:failed ')).toEqual({
    clusters: ['staging'],
    rest: 'post status:failed',
  });
});
