import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { crdDifferences } from './crd-differences';
import { crdOwner } from './crd-owner';

const version = (name: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { metadata: { type: 'object' }, spec } } },
  ...more,
});

function crd(
  versions: JsonObject[],
  more: JsonObject = {},
  metadata: Partial<KubeObject['metadata']> = {},
): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ponds.example.com', ...metadata },
    spec: { names: { kind: 'Pond', shortNames: ['pd'] }, versions, ...more },
  };
}

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('what an update of a CRD changes', () => {
  it('names versions, fields with their types, names, and a conversion that ends', () => {
    const before = crd(
      [
        version('v1alpha1', object({}), { storage: false }),
        version(
          'v1',
          object({
            size: { type: 'integer' },
            old: object({ a: { type: 'string' } }),
            tags: { type: 'array', items: object({ x: {} }) },
          }),
        ),
      ],
      { conversion: { strategy: 'Webhook' } },
    );
    const after = crd(
      [
        version(
          'v1',
          object({
            size: { type: 'string' },
            pump: object({ power: { type: 'integer' } }),
            tags: { type: 'array', items: object({}) },
          }),
          { storage: false },
        ),
        version('v2', object({})),
      ],
      { names: { kind: 'Pond', shortNames: ['pd', 'p'] } },
    );
    expect(crdDifferences(before, after)).toEqual([
      'version v1alpha1 is removed',
      'version v1 is no longer the stored version',
      'v1: field .spec.size becomes string, and was integer',
      'v1: field .spec.old is removed',
      'v1: field .spec.tags[].x is removed',
      'v1: field .spec.pump is added',
      'version v2 is added',
      'names.shortNames becomes pd, p, and was pd',
      'conversion of versions becomes None, and was Webhook',
    ]);
    expect(crdDifferences(before, before)).toEqual([]);
  });

  it('names no more than forty', () => {
    const many = Object.fromEntries([...Array(60).keys()].map((n) => [`f${n}`, { type: 'string' }]));
    const lines = crdDifferences(crd([version('v1', object({}))]), crd([version('v1', object(many))]));
    expect([lines.length, lines.at(-1)]).toEqual([41, 'and 20 more']);
  });
});

describe('who brought a CRD', () => {
  it('is told by marks of tools and by field managers that wrote more than the status', () => {
    const metadata = {
      labels: { 'app.kubernetes.io/managed-by': 'Helm', 'operators.coreos.com/etcd.operators': '' },
      annotations: { 'meta.helm.sh/release-name': 'etcd-operator', 'meta.helm.sh/release-namespace': 'db' },
      managedFields: [
        { manager: 'helm', operation: 'Update' },
        { manager: 'kube-apiserver', operation: 'Update', subresource: 'status' },
        { manager: 'kubectl-edit', operation: 'Update' },
        { manager: 'helm', operation: 'Apply' },
      ],
    };
    expect(crdOwner(crd([], {}, metadata))).toEqual([
      'Helm release etcd-operator in namespace db',
      'OLM operator etcd.operators',
      'label app.kubernetes.io/managed-by Helm',
      'field manager helm, kubectl-edit',
    ]);
    expect(crdOwner(crd([]))).toEqual([]);
  });
});
