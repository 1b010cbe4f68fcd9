import { describe, expect, it } from 'vitest';
import { apiServiceView, endpointsOf, unavailableVersion } from './api-services';

function apiService(condition: object | undefined, spec: object = {}) {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec: {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      service: { namespace: 'kube-system', name: 'metrics-server' },
      ...spec,
    },
    ...(condition === undefined ? {} : { status: { conditions: [{ type: 'Available', ...condition }] } }),
  };
}

const away = (reason: string) => apiService({ status: 'False', reason, message: 'why' });

describe('an APIService', () => {
  it.each([
    ['ServiceNotFound', /^Create Service metrics-server in namespace kube-system/],
    ['ServicePortError', /^Add port 443 to Service metrics-server/],
    ['EndpointsNotFound', /selector of Service metrics-server/],
    ['MissingEndpoints', /pods of Service metrics-server: none of them is ready/],
    ['FailedDiscoveryCheck', /caBundle verifies their certificate/],
    ['ServiceAccessError', /tries again/],
    ['SomethingNew', /read its log/],
  ])('with reason %s says what to do next', (reason, advice) => {
    expect(apiServiceView(away(reason)).advice).toMatch(advice);
  });

  it('that is available needs nothing', () => {
    const view = apiServiceView(apiService({ status: 'True', reason: 'Passed', message: 'all checks passed' }));
    expect([view.available, view.advice]).toEqual(['True', undefined]);
  });

  it('without a condition is not known yet', () => {
    expect(apiServiceView(apiService(undefined)).available).toBe('Unknown');
  });

  it('says how the certificate of its Service is verified', () => {
    expect(apiServiceView(apiService(undefined, { insecureSkipTLSVerify: true })).verification).toBe('not verified');
    expect(apiServiceView(apiService(undefined, { caBundle: 'QQ==' })).verification).toBe('verified by the caBundle');
    expect(apiServiceView(apiService(undefined, { service: undefined })).verification).toBeUndefined();
  });
});

describe('a group version that could not be read', () => {
  const version = { group: 'metrics.k8s.io', version: 'v1beta1' };

  it('has the reason of its APIService', () => {
    expect(unavailableVersion(version, 'stale', away('MissingEndpoints'))).toMatchObject({
      apiService: 'v1beta1.metrics.k8s.io',
      reason: 'MissingEndpoints',
      message: 'why',
    });
  });

  it('has the failure itself when its APIService cannot be read, or is well again', () => {
    expect(unavailableVersion(version, 'stale', undefined)).toMatchObject({ apiService: undefined, message: 'stale' });
    const well = apiService({ status: 'True', reason: 'Passed', message: 'all checks passed' });
    expect(unavailableVersion(version, 'stale', well)).toMatchObject({ reason: '', message: 'stale' });
  });
});

it('endpoints of a Service name their pod, are there once, and are ready unless they say otherwise', () => {
  const pod = { kind: 'Pod', namespace: 'kube-system', name: 'metrics-0' };
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'kube-system', labels: { 'kubernetes.io/service-name': 'metrics' } },
    endpoints: [
      { addresses: ['10.0.0.1'], conditions: { ready: true }, targetRef: pod },
      { addresses: ['10.0.0.2'], conditions: { ready: false }, targetRef: pod },
      { addresses: ['127.0.0.1'] },
    ],
  };
  expect(endpointsOf([slice, slice], 'metrics').map(({ isReady, pod: of }) => [isReady, of?.name])).toEqual([
    [true, 'metrics-0'],
    [false, 'metrics-0'],
    [true, undefined],
  ]);
  expect(endpointsOf([slice], 'other')).toEqual([]);
});
