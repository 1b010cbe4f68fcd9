import { describe, expect, it } from 'vitest';
import { differingFields } from './differences';

const expected = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', labels: { app: 'a' } },
  spec: { replicas: 2, emptyDir: {}, containers: [{ name: 'c', image: 'i', args: ['x', 'y'] }] },
};

describe('differingFields', () => {
  it('passes over what the API server and others set besides', () => {
    const live = {
      ...expected,
      metadata: { ...expected.metadata, labels: { app: 'a', team: 'b' }, uid: 'u' },
      spec: { replicas: 2, paused: false, containers: [{ name: 'c', image: 'i', args: ['x', 'y'], stdin: false }] },
      status: { replicas: 1 },
    };
    expect(differingFields(expected, live)).toEqual([]);
  });

  it('names each field with another value, and a list of another length as a whole', () => {
    const live = {
      ...expected,
      metadata: { name: 'a' },
      spec: { replicas: 1, emptyDir: {}, containers: [{ name: 'c', image: 'other', args: ['x'] }] },
    };
    expect(differingFields(expected, live)).toEqual([
      'metadata.labels',
      'spec.replicas',
      'spec.containers[0].image',
      'spec.containers[0].args',
    ]);
  });
});
