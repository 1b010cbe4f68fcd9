import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { dnsLabelProblems, qualifiedNameProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { isIp } from '@/lib/schema/formats';
import { asInternal, objectOf, textOf, textsOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import type { StrategyContext } from '../base/strategy';
import { checkLabels } from '../validation/selectors';
import { checkPort, checkPortNumber, IP_TEXT } from '../validation/values';
import { isExternal, isServiceAddress, nodePortRange, usedByServices } from './service-allocation';

/** A Service (Kubernetes pkg/apis/core/validation ValidateService, and the allocators' own faults). */
export function validateService(service: CheckedField, context: StrategyContext): void {
  const spec = service.at('spec');
  const isExternalName = spec.at('type').text === 'ExternalName';
  spec.at('type').oneOf(['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  if (isExternalName) spec.at('externalName').name(subdomainProblems);
  validatePorts(spec, isExternalName || spec.at('clusterIP').text === 'None');
  checkLabels(spec.at('selector'));
  spec.at('sessionAffinity').oneOf(['ClientIP', 'None']);
  for (const address of spec.at('externalIPs').items) address.check(externalAddressProblems);
  spec.at('internalTrafficPolicy').oneOf(['Cluster', 'Local']);
  const policy = spec.at('externalTrafficPolicy');
  if (isExternal(spec.object)) policy.oneOf(['Cluster', 'Local']);
  else if (policy.isGiven) policy.invalid('may only be set for externally-accessible services');
  if (isExternalName) return;
  validateFamilies(spec);
  validateAllocation(service, context);
}

function validatePorts(spec: CheckedField, mayBeNone: boolean): void {
  const ports = spec.at('ports').items;
  if (ports.length === 0 && !mayBeNone) spec.at('ports').required();
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && seen.add(key) !== undefined;
  for (const port of ports) {
    const name = port.at('name');
    if (name.text === '' && ports.length > 1) name.required();
    name.check(dnsLabelProblems);
    if (name.text !== '' && !isNew(name.text)) name.duplicate();
    checkPortNumber(port.at('port'));
    port.at('protocol').oneOf(['SCTP', 'TCP', 'UDP']);
    checkPort(port.at('targetPort'));
    port.at('appProtocol').check(qualifiedNameProblems);
    const protocol = port.at('protocol').text;
    const number = port.at('port').number ?? 0;
    if (!isNew(`${protocol}/${number}`)) port.duplicate(asInternal({ protocol, port: number }));
    for (const nodePort of port.given('nodePort')) {
      if (!isExternal(spec.object)) nodePort.forbidden(`may not be used when \`type\` is '${spec.at('type').text}'`);
      if (!isNew(`node ${protocol}/${nodePort.number}`)) nodePort.duplicate();
    }
  }
}

function externalAddressProblems(address: string): string[] {
  if (!isIp(address)) return [IP_TEXT];
  const isLoopback = address.startsWith('127.') || address === '::1';
  return isLoopback ? ['may not be in the loopback range (127.0.0.0/8, ::1/128)'] : [];
}

/** The sandbox has IPv4 only. */
function validateFamilies(spec: CheckedField): void {
  for (const family of spec.at('ipFamilies').items) {
    family.oneOf(['IPv4', 'IPv6']);
    if (family.text === 'IPv6') family.invalid('not configured on this cluster');
  }
  const policy = spec.at('ipFamilyPolicy');
  policy.oneOf(['PreferDualStack', 'RequireDualStack', 'SingleStack']);
  if (policy.text === 'RequireDualStack') policy.invalid('this cluster is not configured for dual-stack services');
}

function validateAllocation(service: CheckedField, context: StrategyContext): void {
  const spec = service.at('spec');
  const used = usedByServices(context, service.object);
  const address = spec.at('clusterIP').text;
  const shown = spec.at('clusterIPs');
  const failed = `failed to allocate IP ${address}`;
  if (address !== '' && address !== 'None') {
    if (!isIp(address)) spec.at('clusterIPs[0]').invalid(IP_TEXT, address);
    else if (!isServiceAddress(address)) {
      const text = `the provided IP (${address}) is not in the valid range. The range of valid IPs is 10.0.0.0/24`;
      shown.invalid(`${failed}: ${text}`);
    } else if (used.addresses.has(address) && !isDefaultService(service.object)) {
      shown.invalid(`${failed}: provided IP is already allocated`);
    }
  }
  if (!isExternal(spec.object)) return;
  const { first, last } = nodePortRange;
  for (const nodePort of spec.at('ports').items.flatMap((port) => port.given('nodePort'))) {
    const number = nodePort.number ?? 0;
    if (number < first || number > last) {
      nodePort.invalid(`provided port is not in the valid range. The range of valid ports is ${first}-${last}`);
    } else if (used.nodePorts.has(number)) nodePort.invalid('provided port is already allocated');
  }
}

/** `kubernetes` in `default` has the first address. */
function isDefaultService(service: JsonObject): boolean {
  const metadata = objectOf(service, 'metadata');
  return textOf(metadata, 'name') === 'kubernetes' && textOf(metadata, 'namespace') === 'default';
}

/** Addresses stay, unless the type leaves or enters ExternalName. */
export function validateServiceUpdate(service: CheckedField, old: JsonObject): void {
  const before = objectOf(old, 'spec') ?? {};
  if (service.at('spec', 'type').text === 'ExternalName' || before.type === 'ExternalName') return;
  const now = service.at('spec', 'clusterIPs');
  const [then] = textsOf(before, 'clusterIPs');
  if (then !== undefined && !jsonEqual(now.texts[0], then)) {
    service.at('spec', 'clusterIPs[0]').invalid('may not change once set', now.texts);
  }
}
