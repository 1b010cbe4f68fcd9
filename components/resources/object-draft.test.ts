import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { draftText, parseDraft, rebase } from './object-draft';

const original: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'demo', uid: 'u', resourceVersion: '5', managedFields: [{}] },
  data: { key: 'yes' },
};

describe('draftText', () => {
  it('reads back as the same object without managedFields', () => {
    const { managedFields: _, ...metadata } = original.metadata;
    expect(parseDraft(draftText(original), original)).toEqual({ object: { ...original, metadata } });
  });
});

describe('parseDraft', () => {
  it.each([
    ['name: a', 'name: b', /metadata.name cannot change/],
    ['namespace: demo', 'namespace: other', /metadata.namespace cannot change/],
    ['kind: ConfigMap', 'kind: Secret', /kind of an object cannot change/],
    ['metadata:', 'meta:', /not a Kubernetes object/],
    ['data:', 'data: [', /./],
  ])('refuses when %s becomes %s', (from, to, refusal) => {
    const parsed = parseDraft(draftText(original).replace(from, to), original);
    expect('refusal' in parsed ? parsed.refusal : undefined).toMatch(refusal);
  });
});

describe('rebase', () => {
  it('takes only the resourceVersion of the newer one', () => {
    const live = { ...original, metadata: { ...original.metadata, resourceVersion: '9' }, data: { key: 'theirs' } };
    expect(rebase(original, live)).toMatchObject({ metadata: { resourceVersion: '9' }, data: { key: 'yes' } });
  });
});
