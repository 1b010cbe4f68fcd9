import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, numberOf, objectOf, objectsOf, textOf, textsOf } from '../access';
import type { KindRules } from '../kind-rules';
import type { StrategyContext } from '../strategy';
import { freeAddress, freeNodePort, usedByServices } from './service-allocation';
import { defaultService, isExternal } from './service-defaults';
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
  if (!isExternal(spec) || spec.allocateLoadBalancerNodePorts === false) return;
  const taken = new Set(objectsOf(spec, 'ports').flatMap((port) => numberOf(port, 'nodePort') ?? []));
  for (const port of objectsOf(spec, 'ports')) {
    if (numberOf(port, 'nodePort') !== undefined) continue;
    const free = freeNodePort(used, taken);
    if (free === undefined) continue;
    port.nodePort = free;
    taken.add(free);
  }
  if (
    spec.type === 'LoadBalancer' &&
    spec.externalTrafficPolicy === 'Local' &&
    !numberOf(spec, 'healthCheckNodePort')
  ) {
    const free = freeNodePort(used, taken);
    if (free !== undefined) spec.healthCheckNodePort = free;
  }
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
}

function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  for (const port of objectsOf(spec, 'ports')) {
    const other = objectsOf(before, 'ports').find((each) => each.port === port.port && each.protocol === port.protocol);
    if (port.nodePort === undefined && other?.nodePort !== undefined) port.nodePort = other.nodePort;
  }
}

/** Node ports that were given by the server go with the type; those that a client sets now are for the validation. */
function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  if (!isExternal(before)) return;
  for (const port of objectsOf(spec, 'ports')) {
    if (objectsOf(before, 'ports').some((each) => each.nodePort === port.nodePort)) delete port.nodePort;
  }
  for (const key of ['externalTrafficPolicy', 'healthCheckNodePort', 'allocateLoadBalancerNodePorts']) {
    if (spec[key] === before[key]) delete spec[key];
  }
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
  },
};
