import { expect, it } from 'vitest';
import { BoundedLabels } from './bounded-labels';

it('keeps the first values, and counts later ones as other', () => {
  const labels = new BoundedLabels(2);
  expect(labels.of({ plan: 'deploy', operator: 'etcd' })).toEqual({ plan: 'deploy', operator: 'etcd' });
  expect(labels.of({ plan: 'backup', operator: 'etcd' })).toEqual({ plan: 'backup', operator: 'etcd' });
  expect(labels.of({ plan: 'x', operator: 'etcd' })).toEqual({ plan: 'other', operator: 'other' });
  expect(labels.of({ plan: 'deploy', operator: 'etcd' })).toEqual({ plan: 'deploy', operator: 'etcd' });
});
