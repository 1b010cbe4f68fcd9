import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { dnsLabelProblems, qualifiedNameProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { duplicate, forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { isIp } from '@/lib/schema/formats';
import { asInternal, numberOf, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import type { StrategyContext } from '../base/strategy';
import { IP_TEXT } from '../pods/validate-pod-spec';
import { checkName, checkOneOf, checkPort, checkPortNumber } from '../validation/numbers';
import { checkLabels } from '../validation/selectors';
import { isServiceAddress, nodePortRange, usedByServices } from './service-allocation';
import { isExternal } from './service-defaults';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const POLICIES = ['Cluster', 'Local'];

/** A Service (Kubernetes pkg/apis/core/validation ValidateService, and the allocators' own faults). */
export function validateService(service: JsonObject, faults: Faults, context: StrategyContext): void {
  const spec = objectOf(service, 'spec') ?? {};
  if (!TYPES.includes(textOf(spec, 'type'))) faults.push(notSupported('spec.type', spec.type ?? '', TYPES));
  if (spec.type === 'ExternalName') checkName(spec.externalName, 'spec.externalName', subdomainProblems, faults);
  validatePorts(spec, faults);
  checkLabels(spec.selector, 'spec.selector', faults);
  checkOneOf(spec.sessionAffinity, 'spec.sessionAffinity', ['ClientIP', 'None'], faults);
  validateAffinity(spec, faults);
  for (const [index, address] of textsOf(spec, 'externalIPs').entries()) {
    validateExternalAddress(address, `spec.externalIPs[${index}]`, faults);
  }
  if (spec.internalTrafficPolicy !== undefined) {
    checkOneOf(spec.internalTrafficPolicy, 'spec.internalTrafficPolicy', POLICIES, faults);
  }
  if (spec.externalTrafficPolicy !== undefined) {
    if (!isExternal(spec)) {
      const text = 'may only be set for externally-accessible services';
      faults.push(invalid('spec.externalTrafficPolicy', spec.externalTrafficPolicy, text));
    } else checkOneOf(spec.externalTrafficPolicy, 'spec.externalTrafficPolicy', POLICIES, faults);
  }
  validateFamilies(spec, faults);
  validateAllocation(service, spec, faults, context);
}

function validatePorts(spec: JsonObject, faults: Faults): void {
  const ports = objectsOf(spec, 'ports');
  if (ports.length === 0 && spec.type !== 'ExternalName' && spec.clusterIP !== 'None')
    faults.push(required('spec.ports'));
  const names = new Set<string>();
  const seen = new Set<string>();
  const seenNodePorts = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const field = `spec.ports[${index}]`;
    const name = textOf(port, 'name');
    if (name === '') {
      if (ports.length > 1) faults.push(required(`${field}.name`));
    } else {
      for (const problem of dnsLabelProblems(name)) faults.push(invalid(`${field}.name`, name, problem));
      if (names.has(name)) faults.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    checkPortNumber(port.port, `${field}.port`, faults);
    checkOneOf(port.protocol, `${field}.protocol`, ['SCTP', 'TCP', 'UDP'], faults);
    checkPort(port.targetPort, `${field}.targetPort`, faults);
    const protocol = port.appProtocol;
    if (typeof protocol === 'string') {
      for (const problem of qualifiedNameProblems(protocol)) {
        faults.push(invalid(`${field}.appProtocol`, protocol, problem));
      }
    }
    if (port.nodePort !== undefined && !isExternal(spec)) {
      faults.push(forbidden(`${field}.nodePort`, `may not be used when \`type\` is '${textOf(spec, 'type')}'`));
    }
    const key = `${textOf(port, 'protocol')}/${numberOf(port, 'port') ?? 0}`;
    if (seen.has(key))
      faults.push(duplicate(field, asInternal({ protocol: port.protocol ?? '', port: port.port ?? 0 })));
    seen.add(key);
    if (port.nodePort === undefined) continue;
    const nodeKey = `${textOf(port, 'protocol')}/${numberOf(port, 'nodePort') ?? 0}`;
    if (seenNodePorts.has(nodeKey)) faults.push(duplicate(`${field}.nodePort`, numberOf(port, 'nodePort') ?? 0));
    seenNodePorts.add(nodeKey);
  }
}

function validateAffinity(spec: JsonObject, faults: Faults): void {
  if (spec.sessionAffinity !== 'ClientIP') return;
  const timeout = numberOf(objectOf(objectOf(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds');
  if (timeout !== undefined && (timeout <= 0 || timeout > 86_400)) {
    const text = 'must be greater than 0 and less than 86400';
    faults.push(invalid('spec.sessionAffinityConfig.clientIP.timeoutSeconds', timeout, text));
  }
}

function validateExternalAddress(address: string, field: string, faults: Faults): void {
  if (!isIp(address)) faults.push(invalid(field, address, IP_TEXT));
  else if (address.startsWith('127.') || address === '::1') {
    faults.push(invalid(field, address, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  } else if (address.startsWith('169.254.')) {
    faults.push(invalid(field, address, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  } else if (address === '0.0.0.0' || address === '::') {
    faults.push(invalid(field, address, `may not be unspecified (${address})`));
  }
}

/** The sandbox has IPv4 only. */
function validateFamilies(spec: JsonObject, faults: Faults): void {
  if (spec.type === 'ExternalName') return;
  for (const [index, family] of textsOf(spec, 'ipFamilies').entries()) {
    const field = `spec.ipFamilies[${index}]`;
    if (family !== 'IPv4' && family !== 'IPv6') faults.push(notSupported(field, family, ['IPv4', 'IPv6']));
    else if (family === 'IPv6') faults.push(invalid(field, family, 'not configured on this cluster'));
  }
  const policy = textOf(spec, 'ipFamilyPolicy');
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  if (policy === 'RequireDualStack') {
    const text = 'this cluster is not configured for dual-stack services';
    faults.push(invalid('spec.ipFamilyPolicy', policy, text));
  } else if (policy !== '' && !policies.includes(policy))
    faults.push(notSupported('spec.ipFamilyPolicy', policy, policies));
}

const ADDRESS = 'failed to allocate IP';

function validateAllocation(service: JsonObject, spec: JsonObject, faults: Faults, context: StrategyContext): void {
  if (spec.type === 'ExternalName') return;
  const used = usedByServices(context, service);
  const address = textOf(spec, 'clusterIP');
  if (address !== '' && address !== 'None') {
    const shown = textsOf(spec, 'clusterIPs');
    if (!isIp(address)) faults.push(invalid('spec.clusterIPs[0]', address, IP_TEXT));
    else if (!isServiceAddress(address)) {
      const text = `${ADDRESS} ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is 10.0.0.0/24`;
      faults.push(invalid('spec.clusterIPs', shown, text));
    } else if (used.addresses.has(address) && !isDefaultService(service)) {
      faults.push(invalid('spec.clusterIPs', shown, `${ADDRESS} ${address}: provided IP is already allocated`));
    }
  }
  if (!isExternal(spec)) return;
  for (const [index, port] of objectsOf(spec, 'ports').entries()) {
    const nodePort = numberOf(port, 'nodePort');
    if (nodePort === undefined) continue;
    const field = `spec.ports[${index}].nodePort`;
    if (nodePort < nodePortRange.first || nodePort > nodePortRange.last) {
      const text = `provided port is not in the valid range. The range of valid ports is ${nodePortRange.first}-${nodePortRange.last}`;
      faults.push(invalid(field, nodePort, text));
    } else if (used.nodePorts.has(nodePort))
      faults.push(invalid(field, nodePort, 'provided port is already allocated'));
  }
}

/** `kubernetes` in `default` has the first address. */
function isDefaultService(service: JsonObject): boolean {
  const metadata = objectOf(service, 'metadata');
  return textOf(metadata, 'name') === 'kubernetes' && textOf(metadata, 'namespace') === 'default';
}

/** Addresses stay, unless the type leaves or enters ExternalName. */
export function validateServiceUpdate(service: JsonObject, old: JsonObject, faults: Faults): void {
  const spec = objectOf(service, 'spec') ?? {};
  const before = objectOf(old, 'spec') ?? {};
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return;
  const now = textsOf(spec, 'clusterIPs');
  const then = textsOf(before, 'clusterIPs');
  if (then.length > 0 && !jsonEqual(now[0], then[0])) {
    faults.push(invalid('spec.clusterIPs[0]', now, 'may not change once set'));
  }
}
