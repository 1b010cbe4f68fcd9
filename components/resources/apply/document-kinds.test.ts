import { describe, expect, it } from 'vitest';
import { RequestError } from '@/components/live/request';
import type { KubeObject } from '@/lib/kube/object';
import { isEstablished, kindAmong, kindsOfCrds } from './document-kinds';
import { applyConflicts } from './send-document';

const crd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.e2e.test' },
  spec: { group: 'e2e.test', scope: 'Namespaced', names: { plural: 'boats', kind: 'Boat' } } as NonNullable<
    KubeObject['spec']
  >,
};

describe('the kinds of a text', () => {
  it('include those that its definitions bring', () => {
    const boat = { apiVersion: 'e2e.test/v1', kind: 'Boat', metadata: { name: 'a' } };
    expect(kindAmong(kindsOfCrds(['broken', crd]), boat)).toEqual({
      group: 'e2e.test',
      kind: 'Boat',
      resource: 'boats',
      namespaced: true,
    });
    expect(kindsOfCrds([{ ...crd, spec: {} }])).toEqual([]);
  });

  it('are served when the definition says so', () => {
    const conditions = [{ type: 'Established', status: 'True' }];
    expect([isEstablished(crd), isEstablished({ ...crd, status: { conditions } } as KubeObject)]).toEqual([
      false,
      true,
    ]);
  });
});

describe('the conflicts of an apply', () => {
  it('are its fields with their managers; other conflicts are errors', () => {
    const causes = [
      { field: '.spec.replicas', message: 'conflict with "kubectl-client-side-apply" using apps/v1' },
      { field: '.data.k', message: 'conflict with "m1"' },
    ];
    expect(applyConflicts(new RequestError(409, 'Conflict', 'Apply failed', causes))).toEqual([
      { field: '.spec.replicas', manager: 'kubectl-client-side-apply' },
      { field: '.data.k', manager: 'm1' },
    ]);
    expect(applyConflicts(new RequestError(409, 'AlreadyExists', 'exists'))).toEqual([]);
    expect(applyConflicts(new Error('conflict with "m1"'))).toEqual([]);
  });
});
