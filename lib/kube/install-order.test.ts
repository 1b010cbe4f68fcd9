import { describe, expect, it } from 'vitest';
import { inInstallOrder } from './install-order';
import type { KubeObject } from './object';

/** `rbac.authorization.k8s.io/v1 Role a` and the like. */
function objects(...texts: string[]): KubeObject[] {
  return texts.map((text) => {
    const [apiVersion = '', kind = '', name = ''] = text.split(' ');
    return { apiVersion, kind, metadata: { name } };
  });
}

const ordered = (...texts: string[]) =>
  inInstallOrder(objects(...texts)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

const RBAC = 'rbac.authorization.k8s.io/v1';

describe('the install order of kinds', () => {
  it('puts what others refer to first, and webhooks last', () => {
    expect(
      ordered(
        'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration w',
        'apps/v1 Deployment d',
        `${RBAC} RoleBinding b`,
        'v1 Service s',
        `${RBAC} Role r`,
        'v1 Secret k',
        'apiextensions.k8s.io/v1 CustomResourceDefinition c',
        'v1 ServiceAccount a',
        'v1 PersistentVolumeClaim p',
        'v1 Namespace n',
      ).join(', '),
    ).toBe(
      'Namespace n, ServiceAccount a, Secret k, PersistentVolumeClaim p, CustomResourceDefinition c, Role r, RoleBinding b, Service s, Deployment d, ValidatingWebhookConfiguration w',
    );
  });

  it('keeps the listed order among workloads, custom resources and every other kind', () => {
    const listed = ['Job j', 'StatefulSet s', 'Pond p', 'Deployment d', 'Ingress i'];
    expect(
      ordered(
        'batch/v1 Job j',
        'apps/v1 StatefulSet s',
        'lab.example.org/v1 Pond p',
        'apps/v1 Deployment d',
        'networking.k8s.io/v1 Ingress i',
      ),
    ).toEqual(listed);
  });

  it('keeps the listed order of data, and does not take a custom Service for one', () => {
    expect(ordered('v1 ConfigMap b', 'v1 Secret a', 'v1 ConfigMap a')).toEqual([
      'ConfigMap b',
      'Secret a',
      'ConfigMap a',
    ]);
    expect(ordered('apps/v1 Deployment d', 'serving.knative.dev/v1 Service s')).toEqual(['Deployment d', 'Service s']);
  });
});
