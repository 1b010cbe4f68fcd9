import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { draftText } from '../object-draft';
import { keepTheirs, reviewTexts, takenFields, unstoredFields } from './save-review';

const before: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    resourceVersion: '7',
    managedFields: [
      { manager: 'kubectl-client-side-apply', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      { manager: 'bravo-console', operation: 'Update', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
      { manager: 'kubelet', subresource: 'status', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ],
  },
  spec: { replicas: 2, paused: false },
};

const withSpec = (spec: object): KubeObject => ({ ...before, spec: spec as NonNullable<KubeObject['spec']> });

describe('the review of a save', () => {
  it('names the other field managers of a changed and of a removed field, and nobody for a field of the console', () => {
    const taken = (spec: object) =>
      takenFields({ before, edited: withSpec(spec) }).map(({ path, managers }) => [path, managers]);
    expect(taken({ replicas: 3, paused: true })).toEqual([['spec.replicas', ['kubectl-client-side-apply']]]);
    expect(taken({ paused: false })).toEqual([['spec.replicas', ['kubectl-client-side-apply']]]);
    expect(taken({ replicas: 2, paused: true, minReadySeconds: 1 })).toEqual([]);
  });

  it('puts their value back into the text and leaves comments in it', () => {
    const [field] = takenFields({ before, edited: withSpec({ replicas: 3 }) });
    const text = draftText(withSpec({ replicas: 3, paused: true })).replace('replicas: 3', 'replicas: 3 # more');
    const kept = keepTheirs(text, before, field ?? { at: [] });
    expect(kept).toContain('replicas: 2 # more');
    expect(kept).toContain('paused: true');
  });

  it('puts a removed field back', () => {
    const [field] = takenFields({ before, edited: withSpec({ paused: false }) });
    expect(keepTheirs(draftText(withSpec({ paused: false })), before, field ?? { at: [] })).toContain('replicas: 2');
  });

  it('says which edits the API server does not store', () => {
    const edited = { ...withSpec({ replicas: 3, paused: false }), status: { replicas: 9 } };
    const result = withSpec({ replicas: 3, paused: false, minReadySeconds: 0 });
    expect(unstoredFields({ before, edited, result }).map(({ path }) => path)).toEqual(['status']);
  });

  it('shows what would be stored, without the versions that each write changes', () => {
    const result = {
      ...withSpec({ replicas: 3, extra: 1 }),
      metadata: { name: 'web', resourceVersion: '8', generation: 2 },
    };
    const { left, right } = reviewTexts({ before, edited: withSpec({ replicas: 3 }), result }, false);
    expect(left).not.toContain('resourceVersion');
    expect(right).toBe(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  extra: 1\n',
    );
  });

  it('shows no secret value, neither a stored nor a typed one', () => {
    const secret = (data: object): KubeObject =>
      ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data }) as KubeObject;
    const review = {
      before: secret({ a: '‹secret›', b: '‹secret›' }),
      edited: secret({ a: '‹secret›', b: 'dHlwZWQ=', c: 'bmV3' }),
      result: secret({ a: 'c3RvcmVk', b: 'dHlwZWQ=', c: 'bmV3' }),
    };
    expect(reviewTexts(review, true).right).toContain(
      'data:\n  a: ‹secret›\n  b: ‹secret, changed›\n  c: ‹secret, changed›\n',
    );
  });

  it('shows no secret parameter that was typed', () => {
    const instance = (parameters: object): KubeObject =>
      ({
        apiVersion: 'kudo.dev/v1beta1',
        kind: 'Instance',
        metadata: { name: 'i' },
        spec: { parameters },
      }) as KubeObject;
    const edited = instance({ PASSWORD: 'typed', SIZE: '2' });
    const { right } = reviewTexts({ before: instance({ SIZE: '1' }), edited, result: edited }, true);
    expect(right).not.toContain('typed');
    expect(right).toContain('SIZE: "2"');
  });
});
