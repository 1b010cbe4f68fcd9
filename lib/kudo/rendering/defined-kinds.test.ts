import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { definedKinds, definitionOf, isDefined } from './defined-kinds';

const crd = (scope: string): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ponds.lab.example.org' },
  spec: {
    group: 'lab.example.org',
    scope,
    names: { kind: 'Pond', plural: 'ponds' },
    versions: [{ name: 'v1', served: true }, { name: 'v1alpha1', served: false }, 'odd'],
  },
});
const pond = (apiVersion: string) => ({ apiVersion, kind: 'Pond' });

describe('kinds that a task brings itself', () => {
  it('are those of its definitions, in the versions that are served', () => {
    const kinds = definedKinds([crd('Namespaced'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }]);
    expect(isDefined(kinds, pond('lab.example.org/v1'))).toBe(true);
    expect(isDefined(kinds, pond('lab.example.org/v1alpha1'))).toBe(false);
    expect(isDefined(kinds, pond('other.example.org/v1'))).toBe(false);
    expect(definitionOf(kinds, pond('lab.example.org/v9'))?.versions).toEqual(['v1']);
  });

  it('have the scope that the definition says', () => {
    const scopeOf = (scope: string) => definitionOf(definedKinds([crd(scope)]), pond('lab.example.org/v1'))?.scope;
    expect([scopeOf('Namespaced'), scopeOf('Cluster')]).toEqual(['namespaced', 'cluster']);
  });

  it('are none when a definition says nothing', () => {
    const empty: KubeObject = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {} };
    expect(isDefined(definedKinds([empty]), pond('lab.example.org/v1'))).toBe(false);
  });
});
