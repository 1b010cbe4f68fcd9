import { describe, expect, it } from 'vitest';
import { definitionDeletion, definitionProblems, definitionUse, definitionView } from './definition';
import type { KubeObject } from './object';

const WIDGET: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      { name: 'v1beta1', served: true, deprecated: true },
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 }],
        schema: { openAPIV3Schema: { type: 'object' } },
      },
      { name: 'v2', served: false },
    ],
  },
  status: { storedVersions: ['v1beta1', 'v1'] },
};

describe('a CustomResourceDefinition', () => {
  it('has its versions with the best first, and links the best one that is served', () => {
    const view = definitionView(WIDGET);
    expect(view.versions.map(({ name }) => name)).toEqual(['v2', 'v1', 'v1beta1']);
    expect(view.preferred).toBe('v1');
    expect(view.versions[1]).toMatchObject({ isStored: true, subresources: ['status'], schema: { type: 'object' } });
    expect(view.versions[1]?.columns).toEqual([
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: '', isWide: true },
    ]);
    expect(view.versions[2]).toMatchObject({
      wasStored: true,
      deprecation: 'example.com/v1beta1 Widget is deprecated',
    });
  });

  it('says what is wrong with it, and nothing when nothing is', () => {
    const withCondition = (type: string, status: string, message: string) =>
      definitionProblems({ ...WIDGET, status: { conditions: [{ type, status, message }] } });
    expect(withCondition('Established', 'True', '')).toEqual([]);
    expect(withCondition('NamesAccepted', 'False', '"widgets" is already in use')).toEqual([
      'Another definition has one of the names of Widget, so it is not served. "widgets" is already in use',
    ]);
    expect(withCondition('NonStructuralSchema', 'True', '')[0]).toContain('not structural');
  });

  it('counts its objects by one page of their metadata, and names the Instances that applied them', () => {
    const item = (namespace: string, instance: string) => ({ metadata: { namespace, labels: { instance } } });
    const list = { items: [item('b', 'pg'), item('a', 'pg'), item('a', 'pg')], metadata: { remainingItemCount: 7 } };
    expect(definitionUse(list, 'instance')).toEqual({
      total: 10,
      instances: [
        { namespace: 'a', name: 'pg' },
        { namespace: 'b', name: 'pg' },
      ],
    });
    expect(definitionDeletion('Widget', 1)).toContain('1 Widget, and the objects that it owns');
  });
});
