import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { isDeprecated, modernise } from './modernise';

const object = (apiVersion: string, kind: string, rest: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...rest,
});

describe('manifests in removed API versions', () => {
  it('returns an object in a served API version unchanged', () => {
    const deployment = object('apps/v1', 'Deployment', { spec: {} });
    expect(modernise(deployment)).toEqual({ object: deployment });
    expect(modernise(deployment).object).toBe(deployment);
    expect(isDeprecated(object('autoscaling/v1', 'HorizontalPodAutoscaler'))).toBe(false);
    expect(isDeprecated(object('monitoring.coreos.com/v1', 'ServiceMonitor'))).toBe(false);
  });

  it.each([
    ['policy/v1beta1', 'PodDisruptionBudget', 'policy/v1'],
    ['rbac.authorization.k8s.io/v1beta1', 'Role', 'rbac.authorization.k8s.io/v1'],
    ['rbac.authorization.k8s.io/v1alpha1', 'ClusterRoleBinding', 'rbac.authorization.k8s.io/v1'],
    ['batch/v1beta1', 'CronJob', 'batch/v1'],
    ['extensions/v1beta1', 'NetworkPolicy', 'networking.k8s.io/v1'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'autoscaling/v2'],
    ['scheduling.k8s.io/v1beta1', 'PriorityClass', 'scheduling.k8s.io/v1'],
    ['storage.k8s.io/v1beta1', 'StorageClass', 'storage.k8s.io/v1'],
    ['coordination.k8s.io/v1beta1', 'Lease', 'coordination.k8s.io/v1'],
    ['node.k8s.io/v1beta1', 'RuntimeClass', 'node.k8s.io/v1'],
  ])('converts %s %s to %s with a warning', (from, kind, to) => {
    const original = object(from, kind, { spec: { a: 1 } });
    const { object: successor, warning } = modernise(original);
    expect(successor).toEqual({ ...original, apiVersion: to });
    expect(warning).toContain(`${kind} "x" was converted to ${to}, because Kubernetes`);
    expect(original.apiVersion).toBe(from);
  });

  it('drops a PodSecurityPolicy with a warning', () => {
    const { object: successor, warning } = modernise(object('policy/v1beta1', 'PodSecurityPolicy'));
    expect(successor).toBeUndefined();
    expect(warning).toContain('left out');
  });

  it('warns about an empty selector of a disruption budget', () => {
    const { warning } = modernise(object('policy/v1beta1', 'PodDisruptionBudget', { spec: { selector: {} } }));
    expect(warning).toContain('every pod');
  });

  it('sets the selector that a workload had by default', () => {
    const spec = { template: { metadata: { labels: { app: 'a' } } }, rollbackTo: { revision: 1 } };
    expect(modernise(object('extensions/v1beta1', 'Deployment', { spec })).object).toMatchObject({
      apiVersion: 'apps/v1',
      spec: { selector: { matchLabels: { app: 'a' } } },
    });
    const chosen = { selector: { matchLabels: { b: 'c' } }, template: {} };
    expect(modernise(object('apps/v1beta2', 'StatefulSet', { spec: chosen })).object?.spec).toEqual(chosen);
  });

  it('keeps an API version that an older cluster serves while it does not serve the replacement', () => {
    const budget = object('policy/v1beta1', 'PodDisruptionBudget', { spec: { selector: {} } });
    const preset = object('settings.k8s.io/v1alpha1', 'PodPreset');
    const serving =
      (...versions: string[]) =>
      (apiVersion: string) =>
        versions.includes(apiVersion);
    expect(modernise(budget, serving('policy/v1beta1'))).toEqual({ object: budget });
    expect(modernise(preset, serving('settings.k8s.io/v1alpha1'))).toEqual({ object: preset });
    expect(modernise(budget, serving('policy/v1beta1', 'policy/v1')).object?.apiVersion).toBe('policy/v1');
    expect(modernise(budget, serving()).object?.apiVersion).toBe('policy/v1');
    expect(modernise(preset, serving()).object).toBeUndefined();
  });

  it('converts an Ingress', () => {
    const spec = {
      backend: { serviceName: 'all', servicePort: 'http' },
      rules: [{ host: 'h', http: { paths: [{ path: '/', backend: { serviceName: 's', servicePort: 80 } }] } }],
    };
    expect(modernise(object('extensions/v1beta1', 'Ingress', { spec })).object).toMatchObject({
      apiVersion: 'networking.k8s.io/v1',
      spec: {
        defaultBackend: { service: { name: 'all', port: { name: 'http' } } },
        rules: [
          {
            host: 'h',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 's', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  it('converts the metrics of an autoscaler', () => {
    const spec = {
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } },
        { type: 'Pods', pods: { metricName: 'rps', targetAverageValue: '10' } },
        { type: 'Object', object: { metricName: 'q', targetValue: '5', target: { kind: 'Service', name: 's' } } },
        { type: 'External', external: { metricName: 'e', metricSelector: { matchLabels: {} }, targetValue: '7' } },
      ],
    };
    expect(modernise(object('autoscaling/v2beta1', 'HorizontalPodAutoscaler', { spec })).object?.spec).toEqual({
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } },
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'Service', name: 's' },
            metric: { name: 'q' },
            target: { type: 'Value', value: '5' },
          },
        },
        {
          type: 'External',
          external: { metric: { name: 'e', selector: { matchLabels: {} } }, target: { type: 'Value', value: '7' } },
        },
      ],
    });
  });

  it('marks a CRD in a domain of Kubernetes as unapproved', () => {
    const annotations = (group: string) => {
      const spec = { group, version: 'v1', names: { kind: 'K', plural: 'ks' } };
      const { object: crd } = modernise(
        object('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', { spec, metadata: { name: 'x' } }),
      );
      return crd?.metadata.annotations;
    };
    expect(annotations('spark.k8s.io')?.['api-approved.kubernetes.io']).toContain('unapproved');
    expect(annotations('spark.example.org')).toBeUndefined();
  });

  it('copies what a CRD said once into each version', () => {
    const spec = {
      group: 'a.b',
      version: 'v1alpha1',
      names: { kind: 'K', plural: 'ks' },
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.spec.a' }],
      validation: {
        openAPIV3Schema: { properties: { spec: { properties: { a: { items: { type: 'string' } }, b: {} } } } },
      },
    };
    const { object: crd, warning } = modernise(
      object('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', { spec }),
    );
    expect(warning).toContain('kept, as before');
    expect(crd?.spec).toEqual({
      group: 'a.b',
      scope: 'Namespaced',
      names: { kind: 'K', plural: 'ks' },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              properties: {
                spec: {
                  type: 'object',
                  'x-kubernetes-preserve-unknown-fields': true,
                  properties: {
                    a: { type: 'array', items: { type: 'string' } },
                    b: { 'x-kubernetes-preserve-unknown-fields': true },
                  },
                },
              },
            },
          },
        },
      ],
    });
  });

  it('sets the old defaults of a webhook', () => {
    const webhooks = [{ name: 'w', clientConfig: {} }];
    const { object: successor, warning } = modernise(
      object('admissionregistration.k8s.io/v1beta1', 'ValidatingWebhookConfiguration', { webhooks }),
    );
    expect(successor?.webhooks).toEqual([
      {
        name: 'w',
        clientConfig: {},
        admissionReviewVersions: ['v1beta1'],
        failurePolicy: 'Ignore',
        matchPolicy: 'Exact',
        timeoutSeconds: 30,
        sideEffects: 'None',
      },
    ]);
    expect(warning).toContain('no side effects');
  });

  it('moves the node of an endpoint out of its topology', () => {
    const endpoints = [{ topology: { 'kubernetes.io/hostname': 'n1', 'topology.kubernetes.io/zone': 'z' } }];
    const { object: slice } = modernise(object('discovery.k8s.io/v1beta1', 'EndpointSlice', { endpoints }));
    expect(slice?.endpoints).toEqual([{ nodeName: 'n1', zone: 'z' }]);
  });
});
