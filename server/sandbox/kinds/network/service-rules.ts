import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, numberOf, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import type { StrategyContext } from '../base/strategy';
import { freeAddress, freeNodePort, type UsedByServices, usedByServices } from './service-allocation';
import { defaultService, isExternal, needsHealthPort } from './service-defaults';
import { validateService, validateServiceUpdate } from './validate-service';

/** Gives a Service its addresses and node ports (Kubernetes pkg/registry/core/service/storage alloc). */
function allocate(service: JsonObject, context: StrategyContext): void {
  const spec = ensureObject(service, 'spec');
  if (spec.type === 'ExternalName') return;
  fill(spec, { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] });
  const used = usedByServices(context, service);
  const given = textOf(spec, 'clusterIP') || (textsOf(spec, 'clusterIPs')[0] ?? '');
  const address = given === '' ? freeAddress(used) : given;
  if (address !== undefined) {
    spec.clusterIP = address;
    fill(spec, { clusterIPs: [address] });
  }
  if (isExternal(spec)) allocatePorts(spec, used);
}

/**
 * Node ports, and the one for health checks, for ports that lack one. The same port of two protocols has the same node
 * port; a port that is given is taken as it is, and judged by the validation.
 */
function allocatePorts(spec: JsonObject, used: UsedByServices): void {
  const ports = objectsOf(spec, 'ports');
  const taken = new Set(ports.flatMap((port) => numberOf(port, 'nodePort') ?? []));
  const wanted = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false ? ports : [];
  for (const port of wanted) {
    if (numberOf(port, 'nodePort') !== undefined) continue;
    const twin = ports.find((each) => each.port === port.port && numberOf(each, 'nodePort') !== undefined);
    const given = twin === undefined ? freeNodePort(used, taken) : numberOf(twin, 'nodePort');
    if (given === undefined) continue;
    port.nodePort = given;
    taken.add(given);
  }
  if (!needsHealthPort(spec) || numberOf(spec, 'healthCheckNodePort')) return;
  const free = freeNodePort(used, taken);
  if (free !== undefined) spec.healthCheckNodePort = free;
}

/** Takes over what the old Service was given, and drops what the new type does not have. */
function carryOver(service: JsonObject, old: JsonObject): void {
  const spec = ensureObject(service, 'spec');
  const before = objectOf(old, 'spec') ?? {};
  if (spec.type === 'ExternalName') {
    if (before.type === 'ExternalName') return;
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']) {
      if (spec[key] === undefined || JSON.stringify(spec[key]) === JSON.stringify(before[key])) delete spec[key];
    }
    dropNodePorts(spec, before);
    dropBalancerFields(spec, before);
    return;
  }
  if (before.type !== 'ExternalName') {
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      if (spec[key] === undefined && before[key] !== undefined) spec[key] = before[key];
    }
    if (spec.clusterIP !== before.clusterIP && JSON.stringify(spec.clusterIPs) === JSON.stringify(before.clusterIPs)) {
      spec.clusterIPs = spec.clusterIP === undefined ? [] : [spec.clusterIP];
    }
  }
  if (isExternal(spec)) keepNodePorts(spec, before);
  else dropNodePorts(spec, before);
  dropBalancerFields(spec, before);
}

/** Ports are known by name, and a node port is never kept for two (Kubernetes service storage patchAllocatedValues). */
function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  const given = new Set(objectsOf(spec, 'ports').flatMap((port) => numberOf(port, 'nodePort') ?? []));
  const byName = new Map(objectsOf(before, 'ports').map((port) => [textOf(port, 'name'), numberOf(port, 'nodePort')]));
  for (const port of isExternal(before) ? objectsOf(spec, 'ports') : []) {
    const old = byName.get(textOf(port, 'name'));
    if (port.nodePort !== undefined || old === undefined || given.has(old)) continue;
    port.nodePort = old;
    given.add(old);
  }
  if (!needsHealthPort(spec) || !needsHealthPort(before) || before.healthCheckNodePort === undefined) return;
  fill(spec, { healthCheckNodePort: before.healthCheckNodePort });
}

/** Node ports that the server gave go with the type; with a new one among them all stay, for the validation to refuse. */
function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  if (!isExternal(before)) return;
  const known = new Set(objectsOf(before, 'ports').flatMap((port) => numberOf(port, 'nodePort') ?? []));
  const ports = objectsOf(spec, 'ports');
  if (ports.every(({ nodePort }) => typeof nodePort !== 'number' || known.has(nodePort))) {
    for (const port of ports) delete port.nodePort;
  }
  if (spec.externalTrafficPolicy === before.externalTrafficPolicy) delete spec.externalTrafficPolicy;
}

/** What only balancers have goes with the type, unless the client changes it at the same time. */
function dropBalancerFields(spec: JsonObject, before: JsonObject): void {
  if (needsHealthPort(before) && !needsHealthPort(spec) && spec.healthCheckNodePort === before.healthCheckNodePort) {
    delete spec.healthCheckNodePort;
  }
  if (before.type !== 'LoadBalancer' || spec.type === 'LoadBalancer') return;
  for (const key of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) {
    if (spec[key] === before[key]) delete spec[key];
  }
}

/** The balancer of a Service that is none any more goes later; its address is not shown any longer. */
function clearBalancer(service: JsonObject): void {
  const status = objectOf(service, 'status');
  if (objectOf(status, 'loadBalancer')?.ingress !== undefined) service.status = { ...status, loadBalancer: {} };
}

export const serviceRules: KindRules = {
  defaults: defaultService,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  prepareCreate(service, context) {
    allocate(service, context);
    service.status = { loadBalancer: {} };
  },
  prepareUpdate(service, old, context) {
    if (context.subresource !== undefined) return;
    carryOver(service, old);
    allocate(service, context);
    if (objectOf(service, 'spec')?.type !== 'LoadBalancer') clearBalancer(service);
  },
};
