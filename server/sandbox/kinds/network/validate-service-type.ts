import type { JsonObject } from '@/lib/json/json';
import { forbidden, invalid } from '@/lib/schema/field-error';
import { isCidr } from '@/lib/schema/formats';
import { objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { isExternal, needsHealthPort } from './service-defaults';

const KUBELET_PORT = 10_250;
const ONLY_BALANCERS = "may only be used when `type` is 'LoadBalancer'";

/** What each type of Service may not have (Kubernetes pkg/apis/core/validation ValidateService). */
export function validateType(spec: JsonObject, faults: Faults): void {
  const type = textOf(spec, 'type');
  if (isExternal(spec) && textsOf(spec, 'clusterIPs')[0] === 'None') {
    faults.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type === 'ExternalName') validateExternalName(spec, faults);
  if (type === 'LoadBalancer') {
    for (const [index, { port }] of objectsOf(spec, 'ports').entries()) {
      const text = `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`;
      if (port === KUBELET_PORT) faults.push(invalid(`spec.ports[${index}]`, port, text));
    }
    for (const [index, range] of textsOf(spec, 'loadBalancerSourceRanges').entries()) {
      const text = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
      if (!isCidr(range.trim())) faults.push(invalid(`spec.loadBalancerSourceRanges[${index}]`, range, text));
    }
  } else {
    for (const key of ['loadBalancerSourceRanges', 'allocateLoadBalancerNodePorts', 'loadBalancerClass']) {
      if (spec[key] !== undefined) faults.push(forbidden(`spec.${key}`, ONLY_BALANCERS));
    }
  }
  if (spec.healthCheckNodePort !== undefined && !needsHealthPort(spec)) {
    const text = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    faults.push(invalid('spec.healthCheckNodePort', spec.healthCheckNodePort, text));
  }
}

function validateExternalName(spec: JsonObject, faults: Faults): void {
  const hasAddress = textOf(spec, 'clusterIP') !== '' || textsOf(spec, 'clusterIPs').length > 0;
  for (const key of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    const given = key === 'clusterIPs' ? hasAddress : spec[key] !== undefined;
    if (given) faults.push(forbidden(`spec.${key}`, 'may not be set for ExternalName services'));
  }
}

/** What a balancer keeps as long as it is one. */
export function validateBalancerUpdate(spec: JsonObject, before: JsonObject, faults: Faults): void {
  if (spec.type !== 'LoadBalancer' || before.type !== 'LoadBalancer') return;
  if (spec.loadBalancerClass !== before.loadBalancerClass) {
    faults.push(invalid('spec.loadBalancerClass', spec.loadBalancerClass ?? null, 'may not change once set'));
  }
  if (!needsHealthPort(spec) || !needsHealthPort(before)) return;
  if (spec.healthCheckNodePort !== before.healthCheckNodePort) {
    faults.push(forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
}
