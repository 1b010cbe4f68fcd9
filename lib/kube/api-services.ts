import { arrayAt, getAt, isJsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { conditionByType } from './conditions';
import type { KindSummary } from './kinds';
import { type GroupVersionResource, type KubeObject, namespaceOf } from './object';

/** Where APIServices are served. */
export const API_SERVICE_TYPE: GroupVersionResource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  resource: 'apiservices',
};

/** The Service that answers for an APIService. */
export interface ApiServiceTarget {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** An APIService in the parts that a person asks for (apiregistration.k8s.io/v1). */
export interface ApiServiceView {
  readonly group: string;
  readonly version: string;
  /** Undefined for a local one: the API server answers itself. */
  readonly service: ApiServiceTarget | undefined;
  /** How the certificate of the Service is verified, in words. */
  readonly verification: string | undefined;
  /** `status` of the condition Available; `Unknown` without it. */
  readonly available: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** What to do next, one sentence; undefined when there is nothing to do. */
  readonly advice: string | undefined;
}

export function apiServiceView(object: KubeObject): ApiServiceView {
  const condition = conditionByType(object, 'Available');
  const available = condition?.status === 'True' || condition?.status === 'False' ? condition.status : 'Unknown';
  const service = targetOf(object);
  const reason = condition?.reason ?? '';
  return {
    group: stringAt(object, 'spec', 'group') ?? '',
    version: stringAt(object, 'spec', 'version') ?? '',
    service,
    verification: service === undefined ? undefined : verificationOf(object),
    available,
    reason,
    message: condition?.message ?? '',
    advice: available === 'True' || service === undefined ? undefined : adviceFor(reason, service),
  };
}

function targetOf(object: KubeObject): ApiServiceTarget | undefined {
  const service = getAt(object, 'spec', 'service');
  if (!isJsonObject(service)) return undefined;
  return {
    namespace: stringAt(service, 'namespace') ?? '',
    name: stringAt(service, 'name') ?? '',
    port: numberAt(service, 'port') ?? 443,
  };
}

function verificationOf(object: KubeObject): string {
  if (getAt(object, 'spec', 'insecureSkipTLSVerify') === true) return 'not verified';
  const hasBundle = (stringAt(object, 'spec', 'caBundle') ?? '') !== '';
  return hasBundle ? 'verified by the caBundle' : 'verified by the authorities of the API server’s machine';
}

/** By the reasons of kube-aggregator's available_controller. */
function adviceFor(reason: string, { namespace, name, port }: ApiServiceTarget): string {
  switch (reason) {
    case 'ServiceNotFound':
      return `Create Service ${name} in namespace ${namespace}, or delete this APIService if its API server was removed.`;
    case 'ServicePortError':
      return `Add port ${port} to Service ${name}, or change spec.service.port of this APIService.`;
    case 'EndpointsNotFound':
      return `Check the selector of Service ${name}: no EndpointSlice belongs to the Service.`;
    case 'MissingEndpoints':
      return `Check the pods of Service ${name}: none of them is ready.`;
    case 'FailedDiscoveryCheck':
      return `Check that the pods of Service ${name} answer over HTTPS, that the caBundle verifies their certificate, and that no NetworkPolicy keeps the API server from them.`;
    case 'ServiceAccessError':
    case 'EndpointsAccessError':
      return 'Wait a moment: the API server could not read the Service or its endpoints and tries again.';
    default:
      return 'Wait for the first check of the API server, or read its log if the check does not come.';
  }
}

/** A group and version whose kinds are not known now. */
export interface UnavailableVersion {
  readonly group: string;
  readonly version: string;
  /** The name of its APIService when the person may read it. */
  readonly apiService: string | undefined;
  /** Why: the reason of the APIService; empty when unknown. */
  readonly reason: string;
  readonly message: string;
  readonly advice: string | undefined;
}

/** Why a group and version could not be read: what its APIService says, or else the failure itself. */
export function unavailableVersion(
  { group, version }: Pick<UnavailableVersion, 'group' | 'version'>,
  failure: string,
  apiService: KubeObject | undefined,
): UnavailableVersion {
  const view = apiService === undefined ? undefined : apiServiceView(apiService);
  const name = apiService?.metadata.name;
  // The APIService may be well again already, or local.
  if (view?.available !== 'False') {
    return { group, version, apiService: name, reason: '', message: failure, advice: undefined };
  }
  return { group, version, apiService: name, reason: view.reason, message: view.message, advice: view.advice };
}

/** The kinds of an APIService that can be listed. */
export function kindsServedBy(kinds: readonly KindSummary[], view: ApiServiceView): KindSummary[] {
  return kinds.filter(({ group, version }) => group === view.group && version === view.version);
}

/** One endpoint of the Service of an APIService. */
export interface ServiceEndpoint {
  readonly address: string;
  readonly isReady: boolean;
  readonly pod: { readonly namespace: string; readonly name: string } | undefined;
}

/** The endpoints of a Service in EndpointSlices of its namespace (discovery.k8s.io/v1), in their order, each address once. */
export function endpointsOf(slices: readonly KubeObject[], service: string): ServiceEndpoint[] {
  const own = slices.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service);
  const found = own.flatMap((slice) =>
    arrayAt(slice, 'endpoints').map((endpoint) => endpointOf(endpoint, namespaceOf(slice))),
  );
  return [...new Map(found.map((endpoint) => [endpoint.address, endpoint])).values()];
}

function endpointOf(endpoint: JsonValue, home: string): ServiceEndpoint {
  const name = stringAt(endpoint, 'targetRef', 'name') ?? '';
  const isPod = stringAt(endpoint, 'targetRef', 'kind') === 'Pod' && name !== '';
  return {
    address: stringAt(endpoint, 'addresses', 0) ?? '',
    // An endpoint that does not say is ready (discovery/v1 EndpointConditions).
    isReady: getAt(endpoint, 'conditions', 'ready') !== false,
    pod: isPod ? { namespace: stringAt(endpoint, 'targetRef', 'namespace') ?? home, name } : undefined,
  };
}
